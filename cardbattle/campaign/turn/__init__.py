"""What happens in a turn: battles fought or played, forecast, luck and advice."""
