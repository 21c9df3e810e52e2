"""Shell completion and usage errors."""
