"""Tournaments: pure rules first, then the tournament as a value, its log, its director and its commands."""
