"""Listeners, admission, TLS and telnet: how bytes arrive.

What is typed goes to `terminal`; nothing here knows what it means.
"""
