"""Tables that scripts compute ahead, and how to read them.

Nothing here decides a move; `bots` does that.
"""
