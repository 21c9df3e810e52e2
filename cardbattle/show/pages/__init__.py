"""Pages: each builds a document from battles, odds or the campaign."""
