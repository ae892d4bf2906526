"""The client's part in sealing a deck: commit to a number of its own, reveal it once, and say when the host cheats.

The host shows its seal, and each client commits to a nonce. When all commitments are locked, the host shows a list of
them (the sealing), and the clients reveal their nonces. A nonce is revealed only to a list with the seal and commitment
that the client knows, and only to one list per round. `/help machine` documents the packets.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import attrs

from lilygames.client.receipts import Receipts
from lilygames.proofs import commitments
from lilygames.proofs.receipt import Receipt

TABLES = 64
"""Maximum tables remembered in a session."""
COMMITMENTS = 2000
"""Maximum commitments in a session, so that no host can fill the disk with receipts."""
ROUNDS = 1000
"""Maximum number of a round."""
_HASH = re.compile(r"[0-9a-f]{64}", re.ASCII).fullmatch
_UNSEALED = re.compile(r"[/.]?(learn|daily)\b|.*\bduplicate=", re.IGNORECASE).match
"""Lines that ask for a game in which no client takes part."""


@attrs.frozen
class Answer:
    """The client's answer to a packet: lines to type, and warnings to show."""

    lines: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


@attrs.frozen
class Offer:
    """The packet `seal`: commit now. It names the table, the game, the round, the seal, and the root or nothing."""

    number: int
    game: str
    table: str
    round: int
    seal: str
    root: str
    name: str
    """The name under which the person sits, if the packet gives one."""
    identity: str = ""
    """The identity (T) that the client computes from the table's number or set, game, rules version and first seal."""
    id: str = ""
    """The id that stands for the name in the table's log; empty at a table without ids."""
    salt: str = ""
    """The salt of the id. No other client gets it."""


@attrs.frozen
class Listed:
    """The packet `sealing`: the table, the digest that the host claims, and the list itself."""

    number: int
    table: str
    digest: str
    sealing: Mapping[str, Any]
    round: int
    seal: str
    root: str
    commits: tuple[tuple[str, str], ...]
    people: tuple[str, ...]
    """The people in the seats."""


@attrs.frozen
class Voided:
    """The packet `voided`: a round that ends without a deal, who is called missing, and the round's secret."""

    number: int
    table: str
    round: int
    missing: tuple[str, ...]
    secret: str
    seal: str
    """The next round's seal; empty in a running session, where the old deck stays."""


Asked = Offer | Listed | Voided


def read(package: str, value: Any) -> Asked | None:
    """Return the packet of a round; None for any other one, or one that doesn't match the schema."""
    match package, value:
        case "Lily.Seal", {"number": int(n), "game": str(game), "round": int(round_), "seal": str(seal), **more}:
            root, table, name, id_, salt = (str(more.get(key, "")) for key in ("root", "T", "name", "id", "salt"))
            sound = _sound(n, round_, table, seal, root)
            return Offer(n, game[:40], table, round_, seal, root, name, _identity(value), id_, salt) if sound else None
        case "Lily.Sealing", {"number": int(n), "T": str(table), "D": str(digest), "sealing": dict(sealing)}:
            return _listed(n, table, digest, sealing)
        case "Lily.Voided", {"number": int(n), "T": str(table), "round": int(round_), "missing": list(missing), **more}:
            secret, seal = str(more.get("secret", "")), str(more.get("seal", ""))
            names = tuple(map(str, missing))
            return Voided(n, table, round_, names, secret, seal) if _sound(n, round_, table, seal or table) else None
    return None


def _identity(offer: Mapping[str, Any]) -> str:
    """Return the identity (T) of the table that makes an offer; empty if the packet lacks what it's made of."""
    match offer:
        case {"round": 1, "seal": seal, "first": first} if seal != first:
            return ""
        case {"duplicate": str(name), "game": str(game), "version": int(version), "first": str(first)} if name:
            return commitments.duplicate_id(name, game, version, first)
        case {"duplicate": "", "number": int(number), "game": str(game), "version": int(version), "first": str(first)}:
            return commitments.table_id(number, game, version, first)
    return ""


def _listed(number: int, table: str, digest: str, sealing: Mapping[str, Any]) -> Listed | None:
    match sealing:
        case {"round": int(round_), "seal": str(seal), "root": str(root), "commits": list(commits), **more}:
            pairs, seats = _pairs(commits), _pairs(more.get("seats"))
            people = tuple(name for name, level in seats if not level)
            whole = _sound(number, round_, table, seal, root) and len(pairs) == len(commits)
            return Listed(number, table, digest, sealing, round_, seal, root, pairs, people) if whole else None
    return None


def _pairs(data: Any) -> tuple[tuple[str, str], ...]:
    """Return the pairs of a list as text; anything else is left out."""
    rows = data if isinstance(data, list) else ()
    return tuple([(str(one[0]), str(one[1])) for one in rows if isinstance(one, list) and len(one) == 2])  # noqa: PLR2004


def _sound(number: int, round_: int, table: str, seal: str, root: str = "") -> bool:
    """Whether a packet's numbers and hashes can be put into a command and a file's name."""
    counts = not (isinstance(number, bool) or isinstance(round_, bool)) and 0 < number < 10**9 and 0 < round_ <= ROUNDS
    return counts and all(map(_HASH, (table, seal, root or seal)))


@attrs.frozen
class _Table:
    """A table as the client has seen it in this session."""

    identity: str = ""
    """The table's identity (T), from the first packet about a round."""
    next_seal: str = ""
    """The seal that must follow the last void round; empty if any may."""
    void: frozenset[int] = frozenset()
    """The void rounds."""
    missing: bool = False
    """Whether the host called this client missing. It doesn't commit there again."""
    judged: tuple[str, ...] | None = None
    """The players who sealed the deck, as the client has last checked them; None before the game."""


class CommitReveal:
    """One client's part at all its tables. It decides; the client types the lines and shows the warnings."""

    def __init__(self, receipts: Receipts, fresh: Callable[[], bytes] = commitments.fresh) -> None:
        self._receipts = receipts
        self._fresh = fresh
        self._tables: dict[int, _Table] = {}
        self._made = 0
        """Commitments made in this session."""
        self._expects_none = False
        """Whether the person asked for a game in which no client takes part."""

    def typed(self, line: str) -> None:
        """Notice a line that asks for a game in which no client takes part."""
        if _UNSEALED(line.strip()):
            self._expects_none = True

    def told(self, package: str, value: Any, name: str) -> Answer:
        """Return what to do about a GMCP message; `name` is the name under which the person is logged in."""
        if package == "Lily.Table":
            return self._began(value, name)
        asked = read(package, value)
        if asked is None:
            return Answer()
        table = self._at(asked.number)
        if table.identity not in ("", asked.table):
            return _warning(asked.number, "the host has changed what it calls this table.")
        table = self._keep(asked.number, attrs.evolve(table, identity=asked.table))
        match asked:
            case Offer():
                return self._commit(attrs.evolve(asked, name=asked.name or name), table)
            case Listed():
                return self._reveal(asked)
            case Voided():
                return self._voided(asked, table)

    def _at(self, number: int) -> _Table:
        return self._tables.get(number, _Table())

    def _keep(self, number: int, table: _Table) -> _Table:
        """Remember a table; forget the one seen longest ago if there are too many."""
        self._tables.pop(number, None)
        self._tables[number] = table
        if len(self._tables) > TABLES:
            del self._tables[next(iter(self._tables))]
        return table

    # commit

    def _commit(self, offer: Offer, table: _Table) -> Answer:
        """Commit to a new nonce once its receipt is saved; the same offer again gets the same commitment."""
        if table.missing or self._made >= COMMITMENTS:
            return Answer()
        had = self._receipts.of(offer.table, offer.round)
        same = next(
            (one for one in had if (one.seal, one.root, one.who) == (offer.seal, offer.root, offer.id or offer.name)),
            None,
        )
        if same:
            return Answer() if same.revealed else _types(offer.number, "commit", same.commit)
        if any((one.seal, one.root) != (offer.seal, offer.root) for one in had):
            return _warning(offer.number, "the host has changed its seal, so your client doesn't take part.")
        if table.next_seal not in ("", offer.seal):
            what = "the host's seal isn't the one that it announced when the last round was void."
            return _warning(offer.number, what)
        if lie := _lie_in(offer):
            return _warning(offer.number, lie)
        self._made += 1
        nonce = self._fresh()
        commit = commitments.commitment(offer.table, offer.round, offer.id or offer.name, nonce)
        receipt = Receipt(
            server=self._receipts.server,
            name=offer.name,
            number=offer.number,
            game=offer.game,
            table=offer.table,
            round=offer.round,
            seal=offer.seal,
            root=offer.root,
            nonce=nonce.hex(),
            commit=commit,
            id=offer.id,
            salt=offer.salt,
        )
        return self._kept(receipt) or _types(offer.number, "commit", commit)

    def _kept(self, receipt: Receipt) -> Answer | None:
        """Save a receipt; return a warning if it can't be saved."""
        try:
            self._receipts.keep(receipt)
        except OSError as problem:
            return _warning(receipt.number, f"your client can't save its receipt ({problem}), so it doesn't take part.")
        return None

    # reveal

    def _reveal(self, listed: Listed) -> Answer:
        """Reveal the nonce to the first right list of a round; warn about any other list."""
        had = self._receipts.of(listed.table, listed.round)
        if not had:
            return Answer()  # this client has no part in the round: `_began` says so
        mine = next((one for one in had if (one.seal, one.root) == (listed.seal, listed.root)), None)
        if mine is None:
            return _warning(listed.number, "the host's seal isn't the one that it showed you.")
        if not _is_in(listed, mine):
            return _warning(listed.number, "the host left your client out of sealing the deck.")
        if not _hashes_to(listed):
            return _warning(listed.number, "the host's code doesn't fit its list of commitments.")
        if listed.digest not in mine.shown:
            mine = attrs.evolve(mine, shown=(*mine.shown, listed.digest))
        if mine.revealed not in ("", listed.digest):
            self._kept(mine)
            return _warning(listed.number, "the host showed two lists of commitments. Your receipt proves it.")
        mine = attrs.evolve(mine, revealed=listed.digest)
        return self._kept(mine) or _types(listed.number, "reveal", mine.nonce)

    # void rounds

    def _voided(self, voided: Voided, table: _Table) -> Answer:
        """Check the secret of a void round, and who is called missing."""
        had = self._receipts.of(voided.table, voided.round)
        missing = any(one.name in voided.missing for one in had)
        void = table.void | {voided.round}
        ours = table.missing or missing
        self._keep(voided.number, attrs.evolve(table, void=void, next_seal=voided.seal, missing=ours))
        if voided.seal and had and not any(_opens(one.seal, voided.secret) for one in had):
            return _warning(voided.number, "the secret of the void round doesn't match its seal.")
        if missing:
            answered = any(one.revealed for one in had)
            why = "although it revealed its number" if answered else "but never asked for its number"
            return _warning(voided.number, f"the host calls your client missing, {why}.")
        return Answer()

    # the first card

    def _began(self, value: Any, name: str) -> Answer:
        """Warn once when a deck is dealt that this client had no part in, or if the host is wrong about that.

        In a running session, each newcomer brings another deck.
        """
        match value:
            case {"number": int(number), "state": "playing", "seat": int(), **more}:
                table, listed = self._at(number), more.get("sealed_by")
            case _:
                return Answer()
        names = tuple(map(str, listed)) if isinstance(listed, list) else ()
        if names == table.judged:
            return Answer()
        self._keep(number, attrs.evolve(table, judged=names))
        expected, self._expects_none = self._expects_none, False
        had = [one for one in self._receipts.at(number) if table.identity in ("", one.table)]
        latest = max((one for one in had if one.round not in table.void), key=lambda one: one.round, default=None)
        took_part = latest is not None and latest.revealed != ""
        if (took_part and name in names) or (expected and listed is None):
            return Answer()
        if not table.identity:
            return Answer(warnings=(f"(your client had no part in sealing the deck of table #{number}: /help seal)",))
        lies = "says that your client sealed this deck, but it didn't"
        return _warning(number, f"the host {lies if name in names else 'left your client out of the deck'}.")


def _is_in(listed: Listed, mine: Receipt) -> bool:
    """Whether the list has the client's commitment, and its id in one seat."""
    commits = [commit for who, commit in listed.commits if who == mine.who]
    return commits == [mine.commit] and (not mine.id or listed.people.count(mine.id) == 1)


def _hashes_to(listed: Listed) -> bool:
    """Whether the digest that the host claims is that of its list."""
    try:
        return commitments.sealing_digest(listed.table, listed.sealing) == listed.digest
    except (TypeError, ValueError, RecursionError):
        return False


def _lie_in(offer: Offer) -> str:
    """Return what is wrong with the codes of an offer; empty if they fit what they are made of."""
    if offer.identity != offer.table:
        return "the host's code for this table isn't made of its number, game and seal."
    if offer.id and not _is_id_of(offer):
        return "the host made your id of another name, so your client doesn't take part."
    return ""


def _is_id_of(offer: Offer) -> bool:
    """Whether an id is made of the name that the packet gives and its salt."""
    try:
        return commitments.seat_id(offer.name, bytes.fromhex(offer.salt)) == offer.id
    except ValueError:
        return False


def _opens(seal: str, secret: str) -> bool:
    """Whether a secret in hexadecimal fits a seal."""
    try:
        return commitments.seal_of(bytes.fromhex(secret)) == seal
    except ValueError:
        return False


def _types(number: int, command: str, digits: str) -> Answer:
    return Answer((f"/at {number} {command} {digits}",))


def _warning(number: int, what: str) -> Answer:
    return Answer(warnings=(f"WARNING: at table #{number}, {what} Leave now: type /at {number} leave",))
