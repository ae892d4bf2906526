"""Words and strategies that the games of a family share; nothing here names or imports a game."""
