"""The server process: wiring, settings, restarts without disconnecting, metrics, backup and the command line."""
