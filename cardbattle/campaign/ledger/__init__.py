"""Read, query and extend the ledger of a campaign. Undo its entries, and reconstruct past turns."""
