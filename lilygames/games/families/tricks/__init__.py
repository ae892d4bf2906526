"""Words and bots shared by the exact-bid games."""
