"""Seeks, formulas, presets and vacations: what people want before a game.

Nothing here opens a table; `open` does that.
"""
