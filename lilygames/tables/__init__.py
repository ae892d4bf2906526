"""Tables: the log, the fold, the seal, seating, and the bot that joins a table to a room."""
