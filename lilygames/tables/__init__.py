"""Tables: games in rooms, played by typing. Nothing here knows a game, or how a connection works.

This is the path of a move. `room/typed_moves` reads it. `play/runner` applies it (`state/table`) and hands it to the
store. When that has answered, it publishes it to the observers in the order that `room/bot` lists them. One of them,
`play/publish`, tells each person what has happened, as far as `state/visible` allows and in the words of
`sight/narrate`. The next asks the players to move (`play/questions`). Then `room/bot` does everything automatic: the
end of the game, passes, and bots' turns.
"""
