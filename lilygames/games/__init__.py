"""One folder a game, with its record `GAME`: how it is typed, what is told and said of it, and its house players.

The host finds the folders by itself. `families` is no game: it has what several share.
"""
