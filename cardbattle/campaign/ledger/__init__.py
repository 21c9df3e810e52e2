"""The ledger: entries, history, operations, undo, checkpoints and the timeline."""
