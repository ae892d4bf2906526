"""The common timeout of all tests, so long that even a busy machine never reaches it."""

DEADLINE = 120.0
"""Seconds after which a hanging test is ended. No result may depend on it: a test waits for an event."""
