"""Play by message: answers read from pasted text, and orders tried out before they are sent."""
