"""The state machine of battles, which all rule sets share.

The code in this package reads no files and prints nothing.
"""
