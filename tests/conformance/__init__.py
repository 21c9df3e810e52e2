"""Tests of cardbattle.conformance."""
