"""Simultaneous movement, which follows the orders step by step to new positions and contacts.

`docs/movement.md` publishes the procedure.
"""
