"""The battle state machine, without rule sets, files or display."""
