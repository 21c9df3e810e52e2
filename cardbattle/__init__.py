"""Resolve the minor battles of a tabletop campaign by card game, and keep the campaign's books."""

__version__ = "0.1.0"
