"""Optional tables of campaign.toml for the time between battles, with one module for each subject."""
