"""Numeric methods: an exact solver for matrix games."""
