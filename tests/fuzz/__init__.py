"""Sound files with one or several things changed, by the million: `python -m tests.fuzz --help`."""
