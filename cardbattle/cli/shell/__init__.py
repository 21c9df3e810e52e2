"""Shell completion, and messages for usage errors."""
