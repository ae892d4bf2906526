"""The host: everyone who is here and all rooms, the dispatcher of typed lines, and packets about people.

`host.py` owns them; `lookup.py` finds them by name; `dispatch.py` follows a line. Logging in is in `visits`.
"""
