"""Proofs of a deal that both a client and the server compute: the bytes of commitments, and receipts.

Nothing here draws a card or knows a table; that is in `lilygames/tables/seal`.
"""
