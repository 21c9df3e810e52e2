"""One battle: its file, how it is fought, its record, and how that is verified."""
