"""Many battles by the one path: what they come to, and what follows from it."""
