"""One bot a game: argument types, commands, what is told and shown, and the words of a refusal."""
