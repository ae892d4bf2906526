"""Accounts: passwords, roles, deleted names and the limits on attempts to log in.

Nothing here shows anything.
"""
