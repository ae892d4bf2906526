"""The store of a place that is one process: a data file that SQLite keeps, and the archive beside it.

Only what knows SQLite lives here. The folder above has what several engines share.
"""
