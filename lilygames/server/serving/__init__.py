"""A running server: ports, periodic tasks, metrics over HTTP and the control socket.

People and tables are in `chat` and `tables`.
"""
