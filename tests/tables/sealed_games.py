"""Whole games with version 2 of the seal, written as a table writes them."""

from __future__ import annotations

import json
from random import Random

import attrs

from lilygames import codec
from lilygames.games import games
from lilygames.proofs import commitments
from lilygames.store import Entry
from lilygames.tables.log.acts import (
    Closed,
    Committed,
    Cut,
    Header,
    Moved,
    Revealed,
    Rooted,
    Sealing,
    Seated,
    Sitter,
    Voided,
)
from lilygames.tables.log.names_beside import hidden_entry, hidden_header
from lilygames.tables.log.seat_ids import SeatIds
from lilygames.tables.seal.closed_deck import root_of
from lilygames.tables.state.table import Table, start
from lilygames.tables.verify.export import FORMAT, ended, exported, linked

SECRET, NEXT = bytes(range(32)), bytes(range(32, 64))
NAMES = ("bob", "carol", "dave")
NONCES = {name: bytes([number]) * 32 for number, name in enumerate(("bob", "carol", "dave", "mallory"), 0x11)}


class Host:
    """A host that writes the log of one table. Each method appends what a real one would."""

    def __init__(self, game, options=None, *, secret=SECRET, number=12, **header):
        rules = game.rules
        dumped = codec.dump(rules.Options() if options is None else options)
        fields = {"seal": commitments.seal_of(secret), "host": "bob", "fairness": 2, **header}
        self.secret = secret
        self.table = Table(Header(number, game.name, rules.VERSION, game.name, dumped, **fields), game, secret)
        self.entries = []

    def then(self, *acts):
        """Append acts; raises `Refused`."""
        for act in acts:
            self.table, _ = self.table.after(act)
            self.entries.append(Entry(self.table.seq, 7.5, "bob", self.table.body, ""))
        return self

    def seat(self, *names, bots=()):
        seats = [*map(Sitter, names), *(Sitter(name, level) for name, level in bots)]
        return self.then(*(Seated(len(self.table.seats) + place, who) for place, who in enumerate(seats)))

    def cut(self, name, word):
        return self.then(Cut(self.table.names.index(name), word))

    def commitment(self, name, nonce=None):
        rounds = self.table.rounds
        return commitments.commitment(rounds.table, rounds.number, name, nonce or NONCES[name])

    def commit(self, *names):
        return self.then(*(Committed(name, self.commitment(name)) for name in names))

    def seal(self, present=None):
        table = self.table
        here = present or table.names
        return self.then(Sealing(table.rounds.proposed(table.seats, table.header.options, table.purses, here)))

    def reveal(self, *names):
        return self.then(*(Revealed(name, NONCES[name].hex()) for name in names))

    def void(self, *missing, root=""):
        """Void the round: the next one has another secret."""
        rounds, secret = self.table.rounds, self.secret
        self.secret = NEXT
        self.then(Voided(rounds.number, missing, secret.hex(), commitments.seal_of(NEXT), root))
        self.table = attrs.evolve(self.table, secret=NEXT)
        return self

    def void_in_play(self, *missing):
        """Void a round of a running game: secret and seal stay."""
        return self.then(Voided(self.table.rounds.number, missing, "", ""))

    def renew(self, *clients):
        """Show a new root for the hands that follow; these clients commit."""
        rounds, first = self.table.rounds, self.table.rounds.drawn + 1
        hidden = self.table.game.hidden(self.table.options)
        root = root_of(self.secret, rounds.table, rounds.number + 1, hidden, first=first, hands=rounds.hands)
        return self.then(Rooted(root, first)).commit(*clients)

    def play_to_hand(self, hand, seed=1):
        """Play at random until a hand is dealt."""
        random = Random(seed)
        while self.table.rounds.drawn < hand:
            self.move(random)
        return self

    def start(self):
        return self.then(start(self.table, ()))

    def move(self, random):
        """Make a random legal move; a bot of the table has no say."""
        seat = next(seat for seat in range(len(self.table.seats)) if self.table.moves(seat))
        return self.then(Moved(seat, codec.dump(random.choice(self.table.moves(seat)))))

    def decide(self, level="novice"):
        """Make the move that a bot would make."""
        table = self.table
        seat = next(seat for seat in range(len(table.seats)) if table.moves(seat))
        move = table.game.players[level](table.view(seat), table.moves(seat), table.luck.of_bot(seat))
        return self.then(Moved(seat, codec.dump(move)))

    def play(self, seed=1, most=10_000):
        random = Random(seed)
        while self.table.outcome is None and most:
            self.move(random)
            most -= 1
        return self

    def close(self):
        header = self.table.header
        return self.then(Closed("" if header.sealed or header.duplicate else self.secret.hex()))

    @property
    def export(self):
        """The rows of `/export`."""
        return self.exported()

    def exported(self, **changes):
        """Return the rows of `/export`, perhaps in the format of an earlier release, or with a duplicate set."""
        made = exported(self.table.header, self.table.game, self.secret, self.entries, **changes)
        return [row for part in made for row in part]


def remade(rows):
    """Return rows with numbers, links and an end that fit: the forger is the host, who makes them all again."""
    first, *rest = [{**row} for row in rows]
    entries = [row for row in rest if "link" in row]
    for number, row in enumerate(entries, 1):
        row["seq"] = number
    others = [row for row in rest if "link" not in row and "end" not in row]
    made = [*linked(first, entries), *others]
    return [json.dumps(row) for row in [*made, *([ended(made)] if first["lilygames"] >= FORMAT else [])]]


def played(game, options=None, names=NAMES, clients=("bob", "carol"), bots=(), **header):
    """Return the host of a whole game: people sit, one cuts, clients commit and reveal, and all play at random."""
    host = Host(game, options, **header).seat(*names, bots=bots).cut(names[0], "pips")
    return host.commit(*clients).seal().reveal(*clients).start().play().close()


def stored_ohell(length=142):
    """Return the stored header and first entries of an Ohell: with ids for names, seconds between, and attempts."""
    random, names = Random(1), ("bob", "carol", "dave")
    people = SeatIds().with_people(names, lambda: random.randbytes(16))
    host = Host(games()["ohell"], games()["ohell"].rules.Options(max=5), ids=True, people=people)
    host.seat(*names, bots=[("Ada", "club")]).cut("bob", "pips").commit().seal([]).start().play()
    at, attempt, stored = 1.7e9, 100, []
    for entry in host.entries[:length]:
        at, attempt = at + random.expovariate(1 / 6), attempt + random.randrange(1, 40)
        by = random.choice(names)
        stored.append(hidden_entry(attrs.evolve(entry, at=at, by=by, cmd=f"{'0d' * 16}.{attempt}"), people))
    header = hidden_header(host.table.header)
    return Entry(12, 1.7e9, header.host, codec.to_text(header), f"open {'1e' * 16}"), stored
