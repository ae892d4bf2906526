"""Bots of rules as they once were: each is among the `earlier` of its game (`/help maker-version`)."""
