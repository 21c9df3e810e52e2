"""Commands for playing a battle: prompt, full screen, and real cards."""
