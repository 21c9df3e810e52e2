"""Battle files, records and results files: reading, writing, replaying."""
