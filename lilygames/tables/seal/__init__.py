"""Luck and its proof: seals, commit-reveal rounds, Merkle trees and closed decks, as pure values.

Nothing here knows a room, a person's screen or the store.
"""
