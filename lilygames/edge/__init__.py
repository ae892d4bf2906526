"""The wire: telnet and the front ends. Nothing here knows of cards."""
