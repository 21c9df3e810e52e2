"""A whole campaign simulated from one seed: umpires, writers, editors and a disk that fails.

`python -m tests.simulation --help` says how to run it.
"""
