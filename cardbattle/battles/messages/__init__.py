"""Play by message: answers read from pasted text, and rehearsed orders."""
