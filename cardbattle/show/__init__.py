"""The only rooms that know a screen."""
