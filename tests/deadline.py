"""How long a test waits in vain: the same everywhere, and so long that a busy machine is never meant."""

DEADLINE = 120.0
"""Seconds after which a test that hangs is ended. No outcome may depend on it: a test waits for what is to happen."""
