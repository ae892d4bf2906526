"""The version of the interface for games of other packages."""

API = 2
"""It goes up when such games have to be changed. A game can say what it needs: `Game(api=2, ...)`.

2: the rules' contract is `lilygames_rules.kit` instead of `rules.kit`, and rules modules have `turn`.
"""
