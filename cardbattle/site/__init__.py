"""The static site of a campaign, with one page for each turn, faction, force, place and battle."""
