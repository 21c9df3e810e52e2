"""The battles of a turn: fight or play them, forecast, luck and advice."""
