"""The games as pure state machines, and the engines they share.

Nothing here knows of time, chance, people or words: luck is an argument, seats are numbers, a refusal is a
code with facts. A module of this package *is* a game when it has the names of `rules.kit.Rules`.
"""

HOUSE = "lilygames"
"""Says whose `rules` this is: another distribution may install a package of the same name over it."""
