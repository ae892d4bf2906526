"""Several server processes ("nodes") that act as one place. Each serves its own connections and follows the others.

Everything that must survive is in the store they share. The bus carries hints about what has changed. Each node also
checks the store once a second, so a lost hint costs time but never a game. Messages for people at another node are
numbered, and sent again if the bus loses them.
"""
