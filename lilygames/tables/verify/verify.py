"""Verify a finished game: check the seals against the secrets, and each entry against its replay."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress

import attrs

from lilygames import codec
from lilygames.game import Game
from lilygames.proofs import commitments
from lilygames.store import Entry
from lilygames.tables.duplicate.duplicate_set import DuplicateSet
from lilygames.tables.log import beacon
from lilygames.tables.log.acts import Act, Body, Header, Voided
from lilygames.tables.seal import seal
from lilygames.tables.sight.replay import replayed
from lilygames.tables.state.table import Diverged, Table
from lilygames.tables.state.visible import is_open, secret_in
from lilygames.text import listing
from lilygames_rules.kit import Refused

ALONE = "No player's client took part, so the host could choose the deal."
WRONG_NAME = "No match: a name in {} isn't the one its id was made of."
_DIFFERENCES = {
    "early-reveal": "a number was revealed before everything was sealed",
    "wrong-nonce": "the number that was revealed isn't the one committed to",
    "no-commitment": "a number was revealed that nobody had committed to",
    "unrevealed": "cards were dealt although a number was missing",
    "not-sealed": "cards were dealt before anything was sealed",
    "sealing": "something was changed after everything had been sealed",
    "bad-sealing": "what was sealed isn't what the log says",
    "bad-void": "a round was void without a reason",
}
"""Words for the refusals of a log whose seal isn't kept."""


@attrs.frozen
class Verdict:
    """Whether a log matches its replay, and the sentence that says so."""

    match: bool
    sentence: str


def acts_of(entries: Iterable[Entry]) -> Iterator[Act]:
    """Yield the acts of a log; those that can't be read are left out, and a replay finds them."""
    for entry in entries:
        with suppress(ValueError):
            yield codec.from_text(entry.body, Body).act


def verify(
    header: Header, entries: Sequence[Entry], games: Mapping[str, Game], duplicate: DuplicateSet | None = None
) -> Verdict:
    """Return whether the seals match the published secrets, and every entry its replay."""
    return [*verdicts(header, entries, games, duplicate)][-1]


def secret_for(header: Header, entries: Sequence[Entry], duplicate: DuplicateSet | None) -> bytes | None:
    """Return the published secret of a table: its own, or the one that its duplicate set gives it."""
    if header.duplicate:
        return duplicate.secret_of(header) if duplicate else None
    return secret_in(entries)


def verdicts(
    header: Header, entries: Sequence[Entry], games: Mapping[str, Game], duplicate: DuplicateSet | None = None
) -> Iterator[Verdict]:
    """Yield progress messages entry by entry; the last one is the verdict. A table of a set is checked against it."""
    name, secret, game = _called(header), secret_for(header, entries, duplicate), header.game_in(games)
    why = _unfit(header, entries, secret, game)
    if duplicate and not duplicate.people.fit:
        why = WRONG_NAME.format(f"the set “{duplicate.header.name}”")
    if why or game is None:
        yield Verdict(match=False, sentence=why)
        return
    table = Table(header, game, secret or b"")
    try:
        for step in replayed(table, entries):
            table = step.table
            yield Verdict(match=False, sentence=f"{name} matches up to entry {table.seq}.")
    except Diverged as difference:
        yield Verdict(match=False, sentence=different(header, difference))
        return
    if duplicate and table.rounds.used and table.rounds.dealt != duplicate.rounds.dealt:
        yield Verdict(match=False, sentence=f"No match: {name} wasn't sealed like its set.")
        return
    other = _other_bot(table, duplicate) if duplicate else ""
    yield Verdict(match=not other, sentence=other or _matched(table, duplicate))


def _other_bot(table: Table, duplicate: DuplicateSet) -> str:
    """Return a sentence about a bot that has another version of its strategy than its set names; empty without one."""
    for who in table.seats:
        pinned = duplicate.header.strategies.get(who.level, "")
        if pinned and not (who.stands_in or who.left) and who.strategy != pinned:
            name = _called(table.header)
            return f"No match: {who} plays {name} with version {who.strategy} of its strategy, not with {pinned}."
    return ""


def _called(header: Header) -> str:
    return f"table #{header.number} ({header.game})"


def different(header: Header, difference: Diverged) -> str:
    """Return the sentence about the first entry of a log that differs from its replay."""
    refused = difference.__cause__
    why = _DIFFERENCES.get(refused.code, "") if isinstance(refused, Refused) and header.fairness else ""
    sentence = f"No match: entry {difference.seq} of {_called(header)} differs from its replay"
    return f"{sentence}: {why}." if why else f"{sentence}."


def _matched(table: Table, duplicate: DuplicateSet | None) -> str:
    name, rounds = _called(table.header), table.rounds if duplicate is None else duplicate.rounds
    if not rounds.used:
        return f"Match: seal and all {table.seq} entries of {name} fit."
    voids = [f"Round {void.round} was void: {listing(void.missing)} didn't reveal." for void in rounds.voids]
    sealed = f"Deck sealed by {listing(rounds.sealed_by)}: code {seal.shown(rounds.code)}."
    said = [f"Match: seals, commitments and all {table.seq} entries of {name} fit.", *voids]
    alone = _drawn(duplicate.words) if duplicate and duplicate.header.beacon else ALONE
    return " ".join([*said, sealed if rounds.sealed_by else alone] if table.started else said)


def _drawn(words: tuple[tuple[str, str], ...]) -> str:
    """Return a sentence about the beacon in a daily deal. Its signature isn't checked here."""
    number = beacon.round_of(words)
    if not number:
        return "The beacon couldn't be reached that day, so the host could choose the deal."
    return f"The cards were drawn with round {number} of a public beacon: compare {words[0][1]} with its chain."


def _unfit(header: Header, entries: Sequence[Entry], secret: bytes | None, game: Game | None) -> str:
    """Return why there is nothing to replay; empty if there is."""
    name = _called(header)
    if not is_open(header, over=True):
        return f"The seal of {name} stays closed, so hidden cards stay secret."
    if secret is None and header.duplicate:
        return f"the secret of {name} is published when every table with its cards is done."
    if secret is None:
        return f"{name} isn't over yet, so there is nothing to check."
    if not (header.people.fit and _opens(header, entries, secret)):
        wrong_secret = f"No match: the secret of {name} doesn't match its seal."
        return wrong_secret if header.people.fit else WRONG_NAME.format(name)
    if game is None:
        return f"{header.game} version {header.version} isn't installed here."
    return ""


def _opens(header: Header, entries: Sequence[Entry], secret: bytes) -> bool:
    """Return whether the secret opens the last seal; the replay checks those of void rounds."""
    if not header.fairness:
        return seal.seal_of(secret) == header.seal
    next_seals = [act.next_seal for act in acts_of(entries) if isinstance(act, Voided) and act.next_seal]
    return commitments.seal_of(secret) == [header.seal, *next_seals][-1]
