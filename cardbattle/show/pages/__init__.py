"""Pages: each module builds documents from battles, odds or a campaign."""
