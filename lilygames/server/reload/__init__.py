"""A reload without disconnecting: from one process to the next.

Nothing here opens a store or a port of its own.
"""
