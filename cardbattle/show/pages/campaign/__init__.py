"""Pages about a campaign: each module turns a part of the campaign into documents."""
