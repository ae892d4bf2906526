"""A client for people: the line that is typed below, what the host says above. It knows a host only by its wire."""
