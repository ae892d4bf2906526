"""Check the receipts of a player's own client against an exported log.

The client keeps a receipt of each number it committed to, written before it committed. So the player can check at home
that the log has the seal, the list and the number that the client really saw.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs

from lilygames.proofs import commitments
from lilygames.proofs.commitments import Sealed
from lilygames.proofs.receipt import Receipt
from lilygames.store import Entry
from lilygames.tables.log.acts import Header, Revealed, Sealing, Voided
from lilygames.tables.log.names_beside import with_names
from lilygames.tables.seal.rounds import identity
from lilygames.tables.verify.verify import Verdict, acts_of


@attrs.frozen
class Round:
    """One round of a log, as it is stored: its sealing and digest, the numbers revealed, and whether it was void."""

    sealed: Sealed
    code: str
    revealed: dict[str, str]
    void: bool = False


def rounds_of(header: Header, entries: Iterable[Entry]) -> dict[int, Round]:
    """Return the rounds of a log that were sealed, by number."""
    table, rounds, now, id_of = identity(header), dict[int, Round](), 0, header.people.id_of
    for act in acts_of(entries):
        match with_names(act, id_of):
            case Sealing(sealed):
                now = sealed.round
                rounds[now] = Round(sealed, commitments.sealing_digest(table, sealed), {})
            case Revealed(name, nonce) if now in rounds:
                rounds[now].revealed[name] = nonce
            case Voided(number) if number in rounds:
                rounds[number] = attrs.evolve(rounds[number], void=True)
    return rounds


def check_receipts(header: Header, entries: Iterable[Entry], receipts: Iterable[Receipt]) -> Iterator[Verdict]:
    """Yield what each receipt says about an exported log; those of other tables are left out."""
    table, rounds, found = identity(header), rounds_of(header, entries), False
    for receipt in sorted(receipts, key=lambda one: one.round):
        if receipt.table == table:
            found = True
            yield _checked(receipt, rounds.get(receipt.round))
    if not found:
        yield Verdict(match=True, sentence="No receipt is for this table.")


def _checked(receipt: Receipt, logged: Round | None) -> Verdict:
    """Return whether the log has what one receipt says."""
    number = receipt.round
    why = next(_differences(receipt, logged), "")
    if why:
        return Verdict(match=False, sentence=f"No match: {why}.")
    if logged is None or (logged.void and not receipt.revealed):
        said = f"Round {number} wasn't dealt."
    elif logged.void:
        said = f"Round {number} was void; your client took part."
    elif receipt.revealed:
        said = f"Your client's number of round {number} is in the deal."
    else:
        said = f"Warning: your client was left out of round {number}."
    return Verdict(match=True, sentence=said)


def _differences(receipt: Receipt, logged: Round | None) -> Iterator[str]:
    """Yield each difference between a receipt and the log, the most telling one first."""
    number, revealed = receipt.round, receipt.revealed
    if not _fits(receipt):
        yield f"the receipt of round {number} is damaged: its number doesn't fit its commitment"
    if len(receipt.shown) > 1:
        yield f"the host showed two different lists in round {number}"
    listed = logged is not None and (receipt.who, receipt.commit) in logged.sealed.commits
    if listed and logged and not logged.void and not revealed:
        yield f"your client never revealed its number of round {number}, but the cards were dealt"
    if not revealed:
        return
    if logged is None or logged.code != revealed:
        yield f"your client revealed its number for another list in round {number} than the log's"
        return
    if (logged.sealed.seal, logged.sealed.root) != (receipt.seal, receipt.root):
        yield f"your client was shown another seal in round {number}"
    if not listed:
        yield f"your client's commitment isn't in the list of round {number}"
    if not logged.void and logged.revealed.get(receipt.who) != receipt.nonce:
        yield f"your client's number of round {number} isn't in the log"


def _fits(receipt: Receipt) -> bool:
    try:
        nonce = bytes.fromhex(receipt.nonce)
    except ValueError:
        return False
    return commitments.fits(receipt.commit, receipt.table, receipt.round, receipt.who, nonce)
