"""Tables: games in rooms, played by typing.

The path of a move: `typed_moves` reads it, `runner` applies it (`table`), appends it to the log (`log`) and publishes
it to the observers that `bot` lists in their order. One of them, `publish`, shows each person what has happened, as
much of it as `visible` lets them know and in the words of `narrate`; the next asks who is to move (`questions`). Then
`bot.go_on` does what follows by itself: the end of the game, passing, a house player's turn.
"""
