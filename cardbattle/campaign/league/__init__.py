"""Draw the rounds of leagues and compute their tables."""
