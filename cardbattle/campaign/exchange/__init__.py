"""Battles that leave a campaign as files, and results that come back."""
