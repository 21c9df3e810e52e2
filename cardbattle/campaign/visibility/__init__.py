"""What each faction may know of a campaign and of its ledger."""
