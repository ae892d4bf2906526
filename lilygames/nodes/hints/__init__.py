"""Hints between nodes about what has changed in the store, by topic. A lost hint costs time, nothing else.

Nothing here acts on a hint; `lilygames/nodes/follow.py` does.
"""
