"""The campaign: its state, its ledger, and everything that changes them."""
