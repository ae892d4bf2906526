"""Shared machinery of the bots: solvers that know no game, and the worker processes in which bots think.

Each game's `house` module has `LEVELS`, weakest first: `novice` loses like a beginner, `club` is a fair opponent,
`shark` is hard to beat. A game has a `master` only if that is shown to be better than its shark, and only at the tables
where it is (`Game.limits`). A level is one of two things (both in `lilygames.game`):

- a `Strategy`, `novice(view, moves, luck) -> move`, which runs in the server's event loop and takes a millisecond or
  two;
- a `Thinker(decide, Budget(iterations))` around `decide(view, moves, luck, budget) -> move`, which runs in a worker
  process (`workers`). `decide` must be a module-level function; the view, the moves and the result are pickled.

Both get the seat's view, its legal moves, and luck derived from the table's seal for this seat and move. All randomness
must come from that luck, so that the answer is the same in any process: never depend on the order of a set. A budget
counts work (deals, simulations), never time; aim for 50 ms in 99 moves of 100. If a bot raises, returns an illegal move
or loses its worker, the table makes the rules' `default` move.

While many moves wait for the workers, a `Thinker` has its smaller budgets (`less`). They depend on how long the moves
asked for will take (`forecast`), never on a view. Even with the smallest one it must be as strong as the level below:
`scripts/duel lilypoker shark@15 club` measures it. The log names the budget of each such move.

Slow tables are filled by `Game.warm_up`, which each worker calls before its first move. The log names each strategy's
version and budget, so `/verify` computes its moves again (`lilygames/tables/verify/bot_moves.py`).

`scripts/duel` measures a bot's strength.
`lab/anchor-ohell` measures Ohell's bots against OpenSpiel's ISMCTS; its results are in help/host/anchor.json.
`scripts/bench-house` measures its speed; with `--tables 200`, how late moves are when many tables play.
tests/house/test_same_view_same_move.py checks that a bot uses only its view.
"""
