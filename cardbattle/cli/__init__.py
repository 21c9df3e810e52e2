"""The command-line program, with one module for each group of commands. Only this package prints output."""
