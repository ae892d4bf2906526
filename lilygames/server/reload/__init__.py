"""A reload without disconnecting: from one process to the next.

Nothing here opens a store or a port of its own.

A reload starts the new program in a second process, which then takes over
(`lilygames/server/reload/succession.py`). While the old process still serves, the new one reads what takes long
(`lilygames/server/place/preloading.py`). At the takeover it reads again only what has changed since: in the old
process (`lilygames/store/record_changes.py`), and at other nodes (`lilygames/nodes/hints/early_hints.py`). The process
that was started first stays and does nothing but keep its process id (`lilygames/server/process/keeper.py`).
"""
