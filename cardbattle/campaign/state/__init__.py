"""The model of the campaign file, edits of the file in place, losses, and standings."""
