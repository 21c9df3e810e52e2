"""Simultaneous movement: from orders to paths, step by step to new positions and contacts.

`docs/movement.md` publishes the procedure.
"""
