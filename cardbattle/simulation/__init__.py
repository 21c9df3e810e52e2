"""Many battles: odds, batches, results tables, handicaps, analysis, and the workers that count."""
