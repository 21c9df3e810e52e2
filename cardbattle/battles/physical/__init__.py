"""Battles played with real cards: reported moves, and consistent guesses for hidden cards."""
