"""Use separate programs as commanders.

Such a program is called an engine, and the page docs/protocol.md describes how it communicates with this
program, the host.
"""
