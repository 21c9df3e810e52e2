"""The commands that open a campaign: one file for each duty."""
