"""Read and write battle files, records and results files, and replay records."""
