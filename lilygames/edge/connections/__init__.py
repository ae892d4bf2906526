"""Listeners, admission, TLS and telnet: how bytes arrive.

Typed lines go to `terminal`; nothing here knows what they mean.
"""
