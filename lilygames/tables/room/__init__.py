"""A table as the bot of its room: typed moves, clocks, shuffles, newcomers and the end.

`bot.py` lists all parts and who observes a step. Nothing here knows other tables.
"""
