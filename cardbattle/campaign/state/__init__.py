"""The campaign file: its model, its fields, edits in place, losses and standings."""
