"""The campaign and its books."""
