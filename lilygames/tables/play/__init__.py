"""A step at an open table: apply, append, publish, then ask the next seat.

Read `runner.py`, `publish.py`, `turn.py` (the states of a seat's turn) and `questions.py` in this order. Bots and
clocks are in `bots` and `room`. `table_news.py` tells programs what changes in the list of tables.
"""
