"""Limits on what people, addresses and networks may hold and ask for, and how addresses form networks.

Every limit is a row of one table. How much is in use is counted by those who ask. Nothing here waits or stores.
"""
