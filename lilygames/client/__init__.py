"""The client for people: a line to type on, and the server's output above it. It only uses the network protocol."""
