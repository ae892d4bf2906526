"""The engine of true and false cards: hands, moves, proofs and rounds."""
