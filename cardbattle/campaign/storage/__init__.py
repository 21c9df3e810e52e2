"""Store campaigns on disk with transactions, and create campaigns and seasons."""
