"""Leagues: the pairings of the next round, and the league table."""
