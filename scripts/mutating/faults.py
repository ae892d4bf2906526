"""The faults that `scripts/mutate --promises` plants: one for each promise, with the tests that must notice it.

`function` is a function's name, after that of its class. `text` stands in it once, and `instead` is the fault.
"""

from __future__ import annotations

from typing import NamedTuple


class Fault(NamedTuple):
    """A fault in something that we promise."""

    promise: str
    """What no longer holds with it."""
    function: str
    text: str
    instead: str
    tests: tuple[str, ...]
    """The files or tests that guard the promise, the nearest first. Together they take less than a minute."""


MUTED = ("tests/moderation/test_muted.py",)
SANCTIONS = ("tests/moderation/test_sanctions.py",)
DECISIONS = ("tests/moderation/test_tables.py",)
REPORTS = ("tests/moderation/test_reports.py",)
VISIBLE = ("tests/tables/test_visible.py",)
SEATING = ("tests/tables/test_seating.py",)
ROUNDS = ("tests/tables/test_rounds.py",)
SEALING = ("tests/tables/test_sealing.py",)
VERIFY = ("tests/tables/test_verify.py",)
APPEND = ("tests/tables/test_append.py",)
DELETION = ("tests/privacy/test_deletion.py",)
UNREGISTER = ("tests/privacy/test_unregister.py",)
LOGIN = ("tests/chat/test_login.py",)
TALK = ("tests/chat/test_talk.py",)
DISCUSSIONS = ("tests/chat/test_discussions.py",)
QUOTAS = ("tests/leaves/test_quota.py",)
DAILY = ("tests/tables/test_daily.py",)

FAULTS = (
    # Secrecy, by every way out.
    Fault("a seat sees only its own part of an event", "all_seen", "is not None", "is not None or event", VISIBLE),
    Fault(
        "one event is shown to a seat as it may see it",
        "seen",
        "event.seen_by(seat)",
        "event",
        ("tests/tables/test_undo.py",),
    ),
    Fault("a seal that stays closed opens nothing", "is_open", "over and not header.sealed", "over", VISIBLE),
    Fault("nothing is open before the end of a game", "is_open", "over and not", "not", VISIBLE),
    Fault(
        "moves of a closed game stay out of its log",
        "act_of_closed_log",
        "None if isinstance(act, Moved | Expired) else act",
        "act",
        ("tests/tables/test_closed_log.py",),
    ),
    Fault(
        "the end of a game publishes no secret of a closed seal",
        "published_secret",
        "is_open(table.header, over=True) and ",
        "",
        ("tests/tables/test_closed_seal.py",),
    ),
    Fault(
        "a secret stays closed while others play the same cards",
        "published_secret",
        " and not table.header.duplicate",
        "",
        DAILY,
    ),
    Fault(
        "people see only their own view of a closed game",
        "views_open",
        "() if own is None else (own,)",
        "tuple(range(seats))",
        VISIBLE,
    ),
    Fault(
        "no log is shown before the end",
        "why_not_whole",
        '"it isn\'t over yet" if secret_in(entries) is None else ""',
        '""',
        ("tests/tables/test_visible.py", "tests/tables/test_replay.py"),
    ),
    Fault(
        "a packet has the view of its reader's seat",
        "standing",
        "table.view(reader.seat)",
        "table.view(0)",
        ("tests/tables/test_packets.py", "tests/tables/test_pages.py"),
    ),
    Fault(
        "a packet of a spectator has no hand",
        "standing",
        "if reader.seat is not None:",
        "if True:",
        ("tests/tables/test_packets.py",),
    ),
    Fault(
        "a page's picture is that of its own seat",
        "picture_of",
        "table.view(seat)",
        "table.view(0)",
        ("tests/tables/test_pages.py",),
    ),
    Fault(
        "a private game isn't listed for strangers",
        "games_of",
        "if not one.private or one.table in mine",
        "if True",
        ("tests/tables/test_company_sought.py",),
    ),
    Fault(
        "a private message is kept for its sender, too",
        "History._logs_of",
        "(chat_event.by, *chat_event.to)",
        "(*chat_event.to,)",
        ("tests/chat/test_review.py",),
    ),
    Fault(
        "a private message reaches nobody else",
        "_hearers",
        "if fold(name) in host.people}",
        "if fold(name) in host.people} | {fold(one.name): one for one in host.people.nearby()}",
        TALK,
    ),
    Fault("a return word is never said by mistake", "hear", "pasted_return_word(text)[1] or ", "", TALK),
    Fault(
        "somebody else's finger doesn't count private games",
        "facts",
        " and not one.private",
        "",
        ("tests/tables/test_company_sought.py",),
    ),
    # Order of acknowledgement.
    Fault(
        "a move is told only after it is stored",
        "Runner._append",
        "await self.services.store.append(self.log, self.table.seq, drafts, cmd=attempt, effects=changed)",
        "self.room.post(partial(self.services.store.append, self.log, self.table.seq, drafts, cmd=attempt))",
        ("tests/tables/test_append.py",),
    ),
    Fault(
        "an act for an earlier state of the table is dropped",
        "Runner._append_again",
        "if self.table.seq == seq:",
        "if True:",
        ("tests/tables/test_cancelled_moves.py",),
    ),
    Fault(
        "a table whose log has lost entries stops",
        "Runner._append",
        "if conflict.head < self.table.seq:",
        "if False:",
        APPEND,
    ),
    Fault(
        "a seat number isn't used after another node changed the seats",
        "Runner.catch_up",
        "if seats != self.table.seats:",
        "if False:",
        APPEND,
    ),
    Fault(
        "talk that is being written isn't given up",
        "History._give_up",
        "waiting[:begun]",
        "[]",
        ("tests/chat/test_unsaved.py",),
    ),
    # Sanctions.
    Fault(
        "a mute holds for every name of an account",
        "Sanctions.of",
        "self._accounts.key(name)",
        "name",
        MUTED + SANCTIONS,
    ),
    Fault("a muted person's words reach nobody", "Sanctions.check_voice", "if mute:", "if False:", MUTED),
    Fault(
        "guests at a muted person's address are muted, too",
        "Sanctions.check_voice",
        "if mute is None and person.guest:",
        "if False:",
        SANCTIONS,
    ),
    Fault(
        "banned people don't come in",
        "Sanctions.check_entry",
        "if ban := standing.banned(now):",
        "if (ban := standing.banned(now)) and False:",
        SANCTIONS,
    ),
    Fault(
        "guests don't come in from the address of a banned person",
        "Sanctions.check_entry",
        'if guest and (ban := self._around(address, "ban")):',
        "if (ban := None):",
        SANCTIONS,
    ),
    Fault(
        "nobody chooses a new name at the address of a banned person",
        "Sanctions.check_new_name",
        'if sanction := self._around(address, "ban") or self._around(address, "mute"):',
        "if sanction := None:",
        SANCTIONS,
    ),
    Fault(
        "a ban of a network holds for everyone there",
        "Sanctions._ban_of_all",
        "if ban.lasts(now) and covers(ban.addresses, address)",
        "if False",
        SANCTIONS,
    ),
    Fault("a sanction ends with its time", "Sanctions._around", " and one.lasts(now)", "", SANCTIONS),
    Fault(
        "sanctions survive a restart",
        "Sanctions.load",
        "self._standings[key] = codec.from_text(body, Standing)",
        "codec.from_text(body, Standing)",
        SANCTIONS,
    ),
    Fault(
        "nobody acts on people of their own rank",
        "Desk.check",
        "RANKS[role] >= actor.rank",
        "RANKS[role] > actor.rank",
        SANCTIONS,
    ),
    Fault("nobody acts on themselves", "Desk.check", "if target.key == actor.key:", "if False:", SANCTIONS),
    Fault("a moderator bans for seven days at most", "Desk.ban", "seconds > MODERATORS_BAN", "False", SANCTIONS),
    Fault(
        "nobody decides about the table they play at",
        "_table",
        "if bot.keeps_seat(at.person.name):",
        "if False:",
        DECISIONS,
    ),
    Fault(
        "a ban gives the seat to a bot",
        "Removal._ban",
        "if bot.seat_of(action.whom) is not None:",
        "if False:",
        SANCTIONS,
    ),
    # Rooms, and people who don't want to hear others.
    Fault(
        "ignored people aren't heard",
        "Person.wants",
        "if notifications.ignores(own, chat_event):",
        "if False:",
        ("tests/chat/test_noise.py",),
    ),
    Fault(
        "people who are kept out of a room don't speak there",
        "Charter.bars",
        "name in self.barred",
        "False",
        DISCUSSIONS,
    ),
    Fault(
        "only those with a voice speak in a moderated room",
        "Room.may_speak",
        "not self.charter.moderated or ",
        "True or ",
        DISCUSSIONS,
    ),
    # Seats, and who somebody is.
    Fault("nobody has two seats at a table", "sit", "if bot.seat_of(person.name) is not None:", "if False:", SEATING),
    Fault(
        "nobody sits down at a running game",
        "sit",
        "if bot.table.started and not (bot.table.game.joins and bot.table.going):",
        "if False:",
        SEATING,
    ),
    Fault("nobody sits down without a free seat", "sit", "if not free_seats(bot.table):", "if False:", SEATING),
    Fault(
        "whoever voided a rated shuffle doesn't sit down again",
        "sit",
        "if lost_seat(bot.table, person.name):",
        "if False:",
        ("tests/tables/test_sealing.py::test_player_who_has_lost_the_seat_cannot_sit_down_again",),
    ),
    Fault("only players start a game", "start", "if bot.seat_of(person.name) is None:", "if False:", SEATING),
    Fault(
        "a bot's seat is taken over only if all players agree",
        "_takes_over",
        "not not_agreed(bot, person.name)",
        "True",
        ("tests/tables/test_taking_over.py",),
    ),
    Fault(
        "a new guest inherits nothing from an earlier one",
        "Accounts.hold",
        'f"{fold(name)}~{secrets.token_hex(6)}"',
        "fold(name)",
        ("tests/chat/test_inheritance.py",),
    ),
    Fault("a password opens only its account", "Accounts.fits", "return fits", "return True", LOGIN),
    Fault(
        "names that look like another one are refused",
        "Accounts.look_alike",
        'self._skeletons.get(skeleton(name), "")',
        '""',
        ("tests/chat/test_names.py", "tests/chat/test_accounts.py", *LOGIN),
    ),
    Fault(
        "a former name stays reserved",
        "Accounts.rename",
        'await self._store.keep("former", old, account.key)',
        "pass",
        ("tests/chat/test_own_name.py", "tests/chat/test_accounts.py"),
    ),
    # Fairness.
    Fault(
        "a nonce is revealed only after everything is sealed",
        "Rounds._revealed",
        'raise Refused("early-reveal")',
        "return self",
        ROUNDS,
    ),
    Fault(
        "a nonce that differs from its commitment is refused",
        "Rounds._revealed",
        "not commitments.fits(commit, self.table, self.number, id_, bytes.fromhex(nonce))",
        "False",
        ROUNDS,
    ),
    Fault("cards wait for every number", "Rounds.check", 'raise Refused("unrevealed")', "return", ROUNDS),
    Fault(
        "nothing changes after the sealing",
        "Rounds.check",
        'raise Refused("sealing")\n            case Cut()',
        "return\n            case Cut()",
        ROUNDS,
    ),
    Fault(
        "what is sealed is what the log says",
        "Rounds._closed",
        "if sealed != self.proposed(seats, options, sealed.purses, names):",
        "if False:",
        ROUNDS,
    ),
    Fault(
        "a void round names exactly those who are missing",
        "Rounds._voided",
        "act.missing != self.missing",
        "False",
        ROUNDS,
    ),
    Fault(
        "a void round opens its secret",
        "Rounds._voided",
        "not (self._opens(act.secret) and is_digits(act.next_seal))",
        "False",
        ROUNDS,
    ),
    Fault(
        "clients that failed to reveal don't commit again",
        "Rounds._committed",
        "if act.name in self.barred:",
        "if False:",
        ROUNDS,
    ),
    Fault(
        "only players commit",
        "Rounds._committed",
        "not any(who.person and who.name == act.name for who in seats)",
        "False",
        ROUNDS,
    ),
    Fault(
        "the luck follows from the nonces",
        "table_key",
        "list(nonces)",
        "[]",
        ("tests/tables/test_fixed_facts.py", "tests/leaves/test_commitments.py"),
    ),
    Fault(
        "each draw has luck of its own",
        "draw_key",
        '"luck", *purpose',
        '"luck"',
        ("tests/tables/test_luck.py", "tests/tables/test_fixed_facts.py"),
    ),
    Fault(
        "a verified secret opens the seal",
        "_opens",
        "return commitments.seal_of(secret) ==",
        "return bool(secret) or commitments.seal_of(secret) ==",
        VERIFY,
    ),
    Fault(
        "an export's links cover its rows",
        "linked",
        "link, number, act, row",
        "link, number, None, row",
        ("tests/tables/test_verify_game.py",),
    ),
    Fault(
        "bots of a daily deal play with the version that it names",
        "_other_bot",
        "who.strategy != pinned",
        "False",
        DAILY,
    ),
    Fault("a daily deal is played once", "DuplicateSet.has_begun", "table.added.key == key", "False", DAILY),
    # Deletion.
    Fault(
        "a deleted account is forgotten by name",
        "Accounts.forget_person",
        "self.names.pop(name, None)",
        "pass",
        DELETION,
    ),
    Fault(
        "a deleted person's rooms close",
        "Discussions.forget_person",
        "if charter.owner in names:",
        "if False:",
        DELETION,
    ),
    Fault(
        "an account with a seat isn't deleted",
        "Deletions.why_not",
        "if self._host.keeps_seat(name):",
        "if False:",
        DELETION,
    ),
    Fault(
        "an account in a tournament isn't deleted",
        "Deletions.why_not",
        "if key in one.players or key == one.header.by:",
        "if False:",
        DELETION,
    ),
    Fault(
        "an account is deleted after its seven days",
        "Deletions._carry_out",
        "(wish.until > now and not early)",
        "wish.until > now + 1e9",
        UNREGISTER,
    ),
    Fault(
        "a login keeps the account", "Deletions._came", "if await self.cancel(person.name):", "if False:", UNREGISTER
    ),
    Fault(
        "a deleted name goes from the logs of open tables",
        "Runner.forget",
        "if fold(pair.name) in names",
        "if False",
        ("tests/tables/test_names_beside.py", *DELETION),
    ),
    # Quotas, and what a stranger may send.
    Fault("an amount never exceeds its limit", "Quotas.refusal", "key) + number > most", "key) > most", QUOTAS),
    Fault(
        "a rate grants no more than its burst",
        "Quotas.refusal",
        "(number - most) * limit.per",
        "(number - 2 * most) * limit.per",
        QUOTAS,
    ),
    Fault(
        "a refused use takes nothing",
        "Quotas.take",
        "if refused := self",
        "self.count(quota, who, now)\n        if refused := self",
        QUOTAS,
    ),
    Fault(
        "several quotas are used together or not at all",
        "Quotas.take_all",
        "if refused := self",
        "self.count(quota, who, now)\n            if refused := self",
        QUOTAS,
    ),
    Fault(
        "a stranger has a budget of private messages",
        "PeopleQuotas.write",
        "self.use(MESSAGE, who, about=name)",
        "pass",
        ("tests/chat/test_pestering.py",),
    ),
    Fault(
        "an answer frees only those who got it",
        "PeopleQuotas.write",
        "(self._key_of(name), own) not in self._written",
        "name in ()",
        ("tests/chat/test_pestering.py",),
    ),
    Fault(
        "a message to someone isn't said to all because of a space",
        "_say_unless_sent",
        "_meant_for(host, person, text) or ",
        "",
        ("tests/chat/test_sends.py",),
    ),
)
