"""Export battles of a campaign to files, and import results and orders."""
