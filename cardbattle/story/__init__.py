"""Stories describe a battle in prose, from the facts that the reader may know."""
