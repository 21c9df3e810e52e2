"""Fight or play the battles of a turn, forecast their results, measure luck, and advise the umpire."""
