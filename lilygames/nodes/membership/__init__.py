"""The nodes of a cluster: which of them are alive, and which one does a shared task or may give out a name.

Nothing here knows people or tables.
"""
