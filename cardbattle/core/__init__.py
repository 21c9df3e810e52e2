"""The battle machine: no rule set, no file, no screen."""
