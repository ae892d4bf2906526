"""What is looked at regularly: store, disk, certificate, and the checks before a start.

Nothing here serves anyone.
"""
