"""Reports of turns: the lead (the first paragraph), and the page."""
