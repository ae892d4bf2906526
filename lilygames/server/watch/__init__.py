"""Regular checks: store, disk, certificate, and the checks before a start.

Nothing here serves anyone.
"""
