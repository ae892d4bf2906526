"""House players: one short strategy a game, each a function from what its seat may know to a move."""
