"""Simulate many battles in several processes.

The results are used for odds, batches, combat results tables, handicaps and analyses.
"""
