"""The static site of a campaign: one page for each turn, faction, force, place and battle."""
