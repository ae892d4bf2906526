"""All open tables: opening, finding, following, leaving and the quotas they count for.

Nothing here parses a command.
"""
