"""The command line: one file per group of commands; the only room that prints or exits."""
