"""A whole campaign simulated from one seed: umpires, writers, editors and a disk that fails.

`python -m tests.stress --help` says how to run it.
"""
