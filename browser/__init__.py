"""The offline page: its sources, and the scripts that build it as one file."""
