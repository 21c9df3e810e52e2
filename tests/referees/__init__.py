"""A second referee: the five rule sets written again from their rules pages, as an oracle for the engine."""
