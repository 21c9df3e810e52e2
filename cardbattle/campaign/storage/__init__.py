"""Campaigns on disk: transactions, new campaigns and seasons, seal slots."""
