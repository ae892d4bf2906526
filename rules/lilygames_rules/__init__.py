"""The games as pure state machines, and the engines they share.

No clock, chance, people or wording: luck is an argument, seats are numbers, and a refusal is a code with facts.
A module of this package is a game if it defines the names in `lilygames_rules.kit.Rules`.
"""
