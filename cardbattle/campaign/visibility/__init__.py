"""Decide which parts of a campaign and its ledger each faction may see."""
