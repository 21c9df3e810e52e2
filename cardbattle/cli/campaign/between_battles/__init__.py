"""Commands for the time between battles."""
