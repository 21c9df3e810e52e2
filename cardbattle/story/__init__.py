"""Stories: a battle told by a narrator, from the facts that its reader may know."""
