"""Listeners, telnet, limits and screens. Nothing here knows of cards."""
