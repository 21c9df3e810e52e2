"""Reports of turns: the lead, and the page."""
