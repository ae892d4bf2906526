"""Tables: games in rooms, played by typing.

This is the path of a move. `typed_moves` reads it. `runner` applies it (`table`), appends it to the log (`log`) and
publishes it to the observers in the order that `bot` lists them. One of them, `publish`, tells each person what has
happened, as far as `visible` allows and in the words of `narrate`. The next asks the players to move (`questions`).
Then `bot.go_on` does everything automatic: the end of the game, passes, and bots' turns.
"""
