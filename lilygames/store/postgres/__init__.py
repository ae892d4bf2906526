"""The store of a place with several nodes: a PostgreSQL database, and its archive.

Only what knows PostgreSQL lives here. Its library is optional, so nothing imports this folder before it is needed.
"""
