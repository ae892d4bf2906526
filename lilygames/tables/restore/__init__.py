"""Tables after a start: which wait to be restored, and which can't be.

Opening new tables is in `open`.
"""
