"""Import and export: battle files, results, forms, and cross-checks of outside results."""
