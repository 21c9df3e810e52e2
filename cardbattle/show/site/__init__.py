"""The site of a campaign: one page after another, as plain files that link to each other."""
