"""Battles on paper: the file that asks for one, the record of one fought, results of many."""
