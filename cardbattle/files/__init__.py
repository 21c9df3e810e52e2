"""Read and write text files, TOML files and spreadsheets. Errors have their position in the file."""
