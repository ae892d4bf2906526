"""The edge: listeners, telnet, limits and screens. Nothing here knows of cards."""
