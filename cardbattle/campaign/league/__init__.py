"""Leagues: who meets whom in the next round, and how a league stands."""
