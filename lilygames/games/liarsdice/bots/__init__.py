"""How the bots of this game think.

They see views and return moves; words and screens are in the folder above.
"""
