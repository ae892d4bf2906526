"""All open tables: opening, finding, following, leaving and the quotas they count for.

`tables.py` joins what opens tables (`opening`), restores them after a restart (`restoring`), follows other nodes
(`following`) and closes them (`closing`). Nothing here parses a command.
"""
