"""Tables as people come and go: the first menu, reconnects, expiry and a command's context.

Commands themselves are in `commands`.
"""
