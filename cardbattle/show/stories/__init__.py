"""The stories of the battles of a campaign."""
