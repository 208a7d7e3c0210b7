"""What is true of a game: found in its rules and in random play, then proved where that can be done."""
