"""Stories: what a narrator says of a battle, from the facts that the reader may know."""
