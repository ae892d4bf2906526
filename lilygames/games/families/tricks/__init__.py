"""Games of exact bids: the commands, words, screens and remarks that they share. Their bots are in `bots`.

No rule is in here: those are in `rules/lilygames_rules/tricks`.
"""
