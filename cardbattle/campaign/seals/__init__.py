"""Sealed dice: slots and their rules, the master key, and the proof for players."""
