"""Tools for authors of rule sets, which run all laws with time limits and create a package to begin with."""
