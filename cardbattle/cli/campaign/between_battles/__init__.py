"""Commands for what happens between battles."""
