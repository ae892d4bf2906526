"""Ladders: an order of players for each game, which they climb by challenges, in seasons of three months."""
