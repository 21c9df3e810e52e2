"""The static site of a campaign: plain files that link to each other."""
