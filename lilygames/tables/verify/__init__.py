"""Checks of a finished game: exports, proofs, receipts and bots' moves.

Nothing here changes a table or asks a person.
"""
