"""Helpers that edit the text of campaign.toml in place, such as blocks of lines, lists and tables."""
