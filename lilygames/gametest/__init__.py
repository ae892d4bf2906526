"""Test kit for authors of games: a server in memory, checks for every game, golden sessions and bot duels."""
