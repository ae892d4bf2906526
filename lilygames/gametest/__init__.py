"""The test kit for authors of games: a host in memory, what every game has to keep to, golden sessions, duels."""
