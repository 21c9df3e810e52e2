"""Parts of editing campaign.toml in place: blocks of lines, lists, settings tables, hunks."""
