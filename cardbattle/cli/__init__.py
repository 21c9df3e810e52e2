"""The command-line program, with one module for each group of commands. No other package prints or exits."""
