"""The edge: listeners, telnet, limits and screens. It knows nothing about games."""
