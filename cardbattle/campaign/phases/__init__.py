"""The phases of a turn, as pure functions that compute the ledger entries of a phase from a campaign."""
