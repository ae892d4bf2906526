"""The meaning of a typed line: the grammar, menus, pastes and lines that were sent twice.

Nothing here does anything; `host/dispatch.py` follows what a line means.
"""
