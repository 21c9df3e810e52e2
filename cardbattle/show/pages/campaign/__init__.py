"""Pages about a campaign: each turns part of it into a document."""
