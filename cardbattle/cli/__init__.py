"""The command line: one module per group of commands; the only package that prints or exits."""
