"""Packed integer vectors, and the solution of matrix games."""
