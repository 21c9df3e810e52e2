"""What each faction may know of a campaign and its ledger."""
