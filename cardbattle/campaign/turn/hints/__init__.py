"""Hints of `campaign check` about contradictory values, values without effect, and ranks that are too low."""
