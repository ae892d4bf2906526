"""What house players think with: searches that know no game, and the processes that do the thinking.

The `house` module of a game has `LEVELS`, from the weakest level to the strongest: `novice` loses like a person,
`club` is a fair evening, `shark` is hard to beat. A level is one of two things (both in `lilygames.game`):

- a `Strategy`, `novice(view, moves, luck) -> move`, which answers at once in the host's own loop, in a millisecond or
  two;
- a `Thinker(decide, Budget(iterations))` around `decide(view, moves, luck, budget) -> move`, which a worker process is
  asked (`workers`). `decide` has to be a function of a module, and view, moves and move are pickled.

Both get the view of their seat, the legal moves, and luck that the table's seal gives this seat and this move: all
chance has to come from it, so that the same question has the same answer in any process. So nothing may hang on the
order of a set, and a budget counts what is done (worlds, playouts) and never looks at a clock: at most 50 ms for 99
moves in 100. Whoever raises, answers with no legal move or loses its worker gets the rules' `default` move.

`scripts/duel` measures how strong a player is, and tests/house/test_same_view_same_move.py that it knows no more than
its seat may.
"""
