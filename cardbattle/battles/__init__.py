"""Read, fight, record and verify a single battle."""
