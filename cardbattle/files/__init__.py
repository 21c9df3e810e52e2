"""Files on disk: text, TOML and spreadsheets, read with the position of every error."""
