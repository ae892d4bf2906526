"""The version of the interface for games of other packages."""

API = 1
"""It goes up when such games have to be changed. A game can say what it needs: `Game(api=1, ...)`."""
