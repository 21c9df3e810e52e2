"""Sealed dice: slots, the laws about them, the master key, and the proof for players."""
