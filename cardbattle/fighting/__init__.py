"""One path from a battle file to a record."""
