"""A running server: ports, periodic tasks, metrics over HTTP and the control socket.

What people do is in `chat` and `tables`.
"""
