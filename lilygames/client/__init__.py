"""The client for people: an input line, with the server's output above it. It only uses the network protocol."""
