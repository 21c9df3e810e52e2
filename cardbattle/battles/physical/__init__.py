"""Follow battles that players play with real cards.

The players report their moves, and the program guesses the hidden cards.
"""
