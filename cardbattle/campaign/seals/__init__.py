"""Sealed dice, with the rules for slots, the umpire's master key, and the proof for players."""
