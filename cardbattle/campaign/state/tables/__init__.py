"""Optional tables of campaign.toml for what happens between battles, one module for each subject."""
