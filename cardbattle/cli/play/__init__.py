"""Commands that play a battle at a prompt, on the full screen, or with real cards."""
