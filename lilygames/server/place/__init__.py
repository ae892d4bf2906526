"""The one page of wiring, and what runs in a place: sources of metrics, retention and notices.

No port is open here; `serving` does that.
"""
