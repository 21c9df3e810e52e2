"""The page for those without Python: what it is made of, and the script that makes one file of it."""
