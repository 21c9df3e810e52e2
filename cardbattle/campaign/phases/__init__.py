"""The phases of a turn, as pure functions: from a campaign to the ledger entries of one phase."""
