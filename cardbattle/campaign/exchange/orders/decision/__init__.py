"""Decide which orders and errors in a message count."""
