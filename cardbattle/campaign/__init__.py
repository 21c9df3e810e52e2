"""Read and change a campaign, which consists of its current state and its ledger."""
