"""Files as they lie on the disk: text, tables and spreadsheets, each mistake with its line."""
