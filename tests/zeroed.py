"""Data files with a page of zeros, as a bad disk leaves them."""

import sqlite3
from contextlib import closing

PAGE = 4096


def zero_page_of(file, words):
    """Overwrite the page of a data file that has some words with zeros."""
    with closing(sqlite3.connect(file)) as shell:
        shell.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    page = file.read_bytes().index(words) // PAGE
    with file.open("r+b") as there:
        there.seek(page * PAGE)
        there.write(b"\0" * PAGE)
