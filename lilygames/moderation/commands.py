"""Moderation commands: /report and /appeal for everyone, the others for moderators and sysops."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import attrs

from lilygames.chat.names.names import fold
from lilygames.chat.names.time_text import day_and_time
from lilygames.commands import Rest, command
from lilygames.errors import NotFound, UserError
from lilygames.moderation.actions import Action, Kind, seconds_in
from lilygames.moderation.context import ModerationContext
from lilygames.moderation.desk import DEFAULT, Actor, Target, reason
from lilygames.moderation.reports import Decision, Report
from lilygames.tables.log.acts import Adjudicated, Frozen, Unfrozen
from lilygames.tables.room.bot import TableBot
from lilygames.text import Line, clean, count, listing, quoted, shortened
from lilygames.tournaments.table_seats import scores_so_far
from lilygames_rules.kit import Outcome, Refused

_NUMBER = re.compile(r"#?[0-9a-f]{6}", re.ASCII | re.IGNORECASE)
_LISTED = 20
"""Actions in the list of the audit log."""
_SURE, _NOT_SURE = "yes!", "no!"
"""Words of a decision that was shown before, and of its opposite; no name can be like them."""


# for everyone


@command("report", group="start", rare=True, private=True)
async def report(at: ModerationContext, name: str, why: Rest) -> list[str]:
    """Report someone to the staff: /report bob insults me again and again.

    The last lines between you that you could see are kept as evidence, at most
    20. You hear whether something was done. Only the staff see who reported.
    """
    sent = await at.reports.send(at.person, at.desk.target(_full(at, name)), why)
    evidence = f", with {count(len(sent.evidence), 'line')} of talk as evidence" if sent.evidence else ""
    return [f"(Thank you. The staff will look at it{evidence}. You'll hear from us.)"]


def _full(at: ModerationContext, name: str) -> str:
    """Return the full name of someone here that `name` abbreviates, or the name itself."""
    try:
        return at.host.lookup.person(name).name
    except NotFound:
        return name


@command("appeal", group="start", rare=True)
async def appeal(at: ModerationContext, text: Rest) -> str:
    """Ask someone else of the staff to look at what was decided about you: /appeal TEXT. /audit shows what it was."""
    await at.reports.appeal(at.person.name, text)
    return "(Your appeal was sent to the staff. See /help appeal.)"


@command("audit", group="you", rare=True)
async def audit(at: ModerationContext, name: str = "") -> list[Line | str]:
    """Show what the staff decided about you, why, and until when. Staff: /audit NAME shows others, /audit the log."""
    actor = at.desk.actor(at.person)
    if actor.rank and not name:
        actions = await at.desk.audit.latest(_LISTED)
    elif actor.rank and fold(name) != "me":
        actions = [*reversed(at.desk.sanctions.standing(at.desk.target(name).key).actions)]
    else:
        actions = [*reversed(at.desk.sanctions.standing(actor.key).actions)]
    if not actions:
        return ["(nothing was decided)" if actor.rank else "(the staff haven't decided anything about you)"]
    return [_row(at, action, own=action.key == actor.key) for action in actions]


def _row(at: ModerationContext, action: Action, *, own: bool) -> Line:
    """Return a line of the audit log. People don't learn there who reported them."""
    when = day_and_time(action.at, at.host.clock(), at.person.profile.zone)
    until = f" until {action.ends}" if action.until else ""
    where = f" ({action.where})" if action.where else ""
    whom = "" if action.kind == "appeal" else "you" if own else action.whom
    did = f"{action.by} {_DID[action.kind]} {whom}".rstrip()
    return Line(f"{when}: {did}{where}{until}. {action.why}", by=action.by)


_DID: Mapping[Kind, str] = {
    "warn": "warned",
    "mute": "muted",
    "unmute": "ended the mute of",
    "kick": "kicked",
    "ban": "banned",
    "unban": "ended the ban of",
    "freeze": "froze",
    "unfreeze": "unfroze",
    "adjudicate": "decided",
    "role": "gave a role to",
    "report": "closed a report by",
    "appeal": "appealed",
}


# about people


@command("warn", group="staff", rare=True)
async def warn(at: ModerationContext, name: str, why: Rest) -> Line:
    """Warn someone: /warn bob WHY. They read it at once, or when they log in. It counts for 90 days."""
    return _done(at, await at.desk.do("warn", at.staff, at.desk.target(name), why), "warned")


@command("mute", group="staff", rare=True, syntax="NAME [TIME] WHY")
async def mute(at: ModerationContext, name: str, why: Rest) -> Line:
    """Mute someone: /mute bob 1h WHY. Nothing they write reaches others, but they can still play and /report.

    A time is like 30m, 12h or 7d; without one it's an hour. Guests and new names
    at their address are muted, too.
    """
    seconds, why = _time(why, DEFAULT["mute"])
    actor, target = at.staff, at.desk.target(name)
    action = await at.desk.mute(actor, target, seconds, why)
    await _without_blurb(at, target)
    return _done(at, action, "muted")


async def _without_blurb(at: ModerationContext, target: Target) -> None:
    """Turn off a muted person's blurb, which others would still read."""
    person = at.host.people.get(fold(target.name))
    if person and person.local:
        person.update_profile(blurb="")
        at.host.keep(person)


@command("unmute", group="staff", rare=True)
async def unmute(at: ModerationContext, name: str, why: Rest) -> Line:
    """End a mute: /unmute bob WHY."""
    return _done(at, await at.desk.lift("unmute", at.staff, at.desk.target(name), why), "no longer muted")


@command("kick", group="staff", rare=True, syntax="NAME [-ROOM] WHY")
async def kick(at: ModerationContext, name: str, why: Rest) -> Line:
    """Put someone out of a room or of the place: /kick bob -cafe WHY, or /kick bob WHY. A bot takes their seats.

    They may come back. Owners and moderators of a room can do it in their room.
    """
    target = at.desk.target(name)
    word, _, rest = why.partition(" ")
    if not word.startswith("-"):
        return _done(at, await at.desk.do("kick", at.staff, target, why), "out of the place")
    room = at.host.lookup.room(word, at.person)
    actor = _moderator_of(at, room.name, target.name)
    if at.host.lobbies.includes(room):
        raise UserError("the lobby is for everyone. Leave out the room to put them out of the place, or use /mute.")
    if fold(target.name) not in room.people:
        raise UserError(f"{target.name} isn't in {room.name}. Type /what {room.name} to see who is.")
    action = await at.desk.do("kick", actor, target, rest, where=room.name)
    return _done(at, action, f"out of {room.name}")


def _moderator_of(at: ModerationContext, room: str, target: str) -> Actor:
    """Return the person as a moderator of a room; raises `UserError` if they aren't one."""
    actor = at.desk.actor(at.person)
    if actor.rank:
        return actor
    charter = at.host.rooms[fold(room)].charter
    if fold(at.person.name) not in charter.keepers or fold(target) == charter.owner:
        raise UserError(f"only its owner, its moderators and the staff can put people out of {room}.")
    return Actor(actor.name, 1, actor.key, actor.origin)


@command("ban", group="staff", rare=True, syntax="NAME|ADDRESS[/BITS] [TIME] WHY")
async def ban(at: ModerationContext, who: str, why: Rest) -> list[Line | str]:
    """Ban a name, an address or a network: /ban bob 7d WHY, or /ban 192.0.2.0/24 1d WHY.

    First you see who would be hit. Then type yes. A time is like 12h, 7d or 90d;
    without one it's 7 days. Sessions end at once, and bots take the seats. A ban
    of a name also keeps guests and new names away from that address.
    """
    sure = who == _SURE
    if who == _NOT_SURE:
        return ["(nobody was banned)"]
    if sure:
        who, _, why = why.partition(" ")
    actor = at.staff
    seconds, why = _time(why, DEFAULT["ban"])
    planned = at.desk.ban(actor, who, seconds, why)
    whom, action = planned.action.whom, planned.action
    if sure:
        await at.desk.decide(planned)
        return [_done(at, action, "banned")]
    hits = [name for name in planned.hits if fold(name) != fold(whom)]
    friends = [name for name in hits if fold(name) in at.person.profile.friends]
    rows = [f"This bans {whom} until {action.ends}."]
    if action.key and action.addresses:
        rows.append(f"It also keeps out guests and new names from {listing(action.addresses)}.")
    if hits:
        rows.append(f"It disconnects {count(len(hits), 'other person', 'other people')} here: {listing(hits)}.")
    if friends:
        rows.append(f"Friends of yours: {listing(friends)}.")
    done = f"/ban {_SURE} {who} {int(seconds / 60)}m {why}"
    shown = [*(Line(row, by=at.person.name) for row in rows), Line("Type yes to do it, or no.")]
    at.person.focus.offer(
        keys={"yes": done, "no": f"/ban {_NOT_SURE} {why}"},
        rows=[row for row in shown if isinstance(row, Line)],
        once=True,
    )
    return [*shown]


@command("unban", group="staff", rare=True)
async def unban(at: ModerationContext, who: str, why: Rest) -> Line:
    """End a ban of a name, an address or a network: /unban bob WHY."""
    return _done(at, await at.desk.unban(at.staff, who, why), "no longer banned")


def _time(words: str, otherwise: float) -> tuple[float, str]:
    """Return the seconds at the start of some words, and the other words."""
    first, _, rest = words.partition(" ")
    seconds = seconds_in(first)
    return (otherwise, words) if seconds is None else (seconds, rest)


def _done(at: ModerationContext, action: Action, what: str) -> Line:
    until = f" until {action.ends}" if action.until else ""
    return Line(f"({action.whom} is {what}{until})", by=at.person.name)


# about tables


@command("freeze", group="staff", rare=True)
async def freeze(at: ModerationContext, table: str, why: Rest) -> str:
    """Freeze a game: /freeze 12 WHY. Nobody can move until you type /unfreeze 12 WHY or /adjudicate it."""
    await _ruled(at, table, Frozen(at.staff.name, reason(why)), "freeze", why=why, where="")
    return f"(table {table} is frozen)"


@command("unfreeze", group="staff", rare=True)
async def unfreeze(at: ModerationContext, table: str, why: Rest) -> str:
    """Let people play a frozen game again: /unfreeze 12 WHY."""
    await _ruled(at, table, Unfrozen(at.staff.name), "unfreeze", why=why, where="")
    return f"(table {table} continues)"


@command("adjudicate", group="staff", rare=True, syntax="TABLE void|standings|win NAME WHY")
async def adjudicate(at: ModerationContext, table: str, how: str, why: Rest) -> str:
    """End a game with a result that you decide: /adjudicate 12 void WHY, or standings, or win bob.

    Void counts for nobody. Standings takes the scores of the deals that are done.
    With win, that player wins, and the others share the last place.
    """
    actor, bot = at.staff, _table(at, table)
    match how.casefold():
        case "void":
            result = None
        case "standings":
            result = scores_so_far(bot)
            if result is None:
                raise UserError("no deal has been finished there. Use void, or win and a name.")
            result = attrs.evolve(result, reason="adjudicated")
        case "win":
            name, _, why = why.partition(" ")
            result = _won_by(bot, name)
        case _:
            raise UserError("type /adjudicate TABLE void WHY, standings WHY, or win NAME WHY.")
    act = Adjudicated(actor.name, reason(why).rstrip("."), result)
    await _ruled(at, table, act, "adjudicate", why=why, where=how.casefold())
    return f"(table {table} is over)"


def _won_by(bot: TableBot, name: str) -> Outcome:
    """Return a result in which one player wins; raises `UserError`."""
    names = [fold(who.name) for who in bot.table.seats]
    if fold(name.removeprefix("*")) not in names:
        raise UserError(f"{shortened(name, 20)} doesn't play there. The players are {listing(bot.table.names)}.")
    winner = names.index(fold(name.removeprefix("*")))
    return Outcome(tuple(int(seat == winner) for seat in range(len(names))), (winner,), "adjudicated")


def _table(at: ModerationContext, table: str) -> TableBot:
    """Return a table to decide about; raises `UserError`, also for a player at it."""
    bot = at.tables.find(table)
    if bot.keeps_seat(at.person.name):
        raise UserError("you play there, so someone else has to decide.")
    return bot


async def _ruled(
    at: ModerationContext, table: str, act: Frozen | Unfrozen | Adjudicated, kind: Kind, *, why: str, where: str
) -> None:
    """Append an act to a table's log, and then to the audit log. Raises `UserError`."""
    bot = _table(at, table)

    async def rule() -> None:
        await bot.runner.act(at.person.name, act)
        await bot.go_on()

    try:
        await bot.room.do(rule)
    except Refused as no:
        raise UserError(_REFUSALS.get(no.code, "that can't be done there now.")) from None
    await at.desk.ruled(kind, at.staff, f"#{bot.table.header.number}", why, where)


_REFUSALS = {
    "not-started": "that game hasn't started. Type /ban or /kick to deal with a player.",
    "game-over": "that game is over.",
    "frozen": "that table is frozen already. Type /unfreeze or /adjudicate.",
    "not-frozen": "that table isn't frozen.",
}


# reports


@command("reports", group="staff", rare=True, syntax="[NUMBER [take | acted WHY | nothing WHY]]")
async def reports(at: ModerationContext, number: str = "", what: str = "", why: Rest = "") -> Sequence[Line | str]:
    """List what people have reported: /reports, or /reports 3f2a91 to read one. Add take to say that you look at it.

    /reports 3f2a91 acted WHY, or nothing WHY, closes it, and the reporter hears
    which. An appeal goes to someone other than the one who decided.
    """
    actor = at.staff
    if not number:
        waiting = await at.reports.waiting()
        rows = [_listed(at, one) for one in waiting]
        return [*rows, "(type /reports NUMBER to read one)"] if rows else ["(no reports are waiting)"]
    if not _NUMBER.fullmatch(number):
        raise UserError("a report's number is like 3f2a91. Type /reports to list them.")
    found = await at.reports.find(number)
    match what.casefold():
        case "":
            return _shown(at, found)
        case "take":
            await at.reports.take(found, actor)
            return [f"(you look after report {found.number}; close it with acted WHY or nothing WHY)"]
        case "acted" | "nothing":
            decision: Decision = "acted" if what.casefold() == "acted" else "nothing"
            await at.reports.decide(found, actor, decision, why)
            return [f"(report {found.number} is closed, and {found.by} will hear of it)"]
    raise UserError(f"type /reports {number} take, /reports {number} acted WHY, or /reports {number} nothing WHY.")


def _when(at: ModerationContext, time: float) -> str:
    return day_and_time(time, at.host.clock(), at.person.profile.zone)


def _listed(at: ModerationContext, one: Report) -> Line:
    what = f"{one.by} appeals" if one.kind == "appeal" else f"{one.by} reports {one.about}"
    taken = f", {one.taken} looks after it" if one.taken else ""
    return Line(f"{one.number}, {_when(at, one.at)}, {what}{taken}: {shortened(one.why, 60)}", by=one.by)


def _shown(at: ModerationContext, one: Report) -> list[Line | str]:
    what = "an appeal" if one.kind == "appeal" else f"about {one.about}"
    rows: list[Line | str] = [
        Line(f"Report {one.number} by {one.by}, {what}, {_when(at, one.at)}:", by=one.by),
        quoted(one.by, one.why, f"{one.by} writes:"),
    ]
    rows += [f"What {one.by} could see:"] if one.evidence else []
    rows += [
        Line(f"{_when(at, said.at)}, {said.by} to {said.where}: {clean(said.text)}", by=said.by)
        for said in one.evidence
    ]
    before = at.desk.sanctions.standing(one.about_key).actions if one.kind == "report" else ()
    rows += [f"Earlier about {one.about}:"] if before else []
    rows += [_row(at, action, own=False) for action in before[-5:]]
    if one.decision:
        return [*rows, f"({one.decided_by} closed it: {one.decision})"]
    return [*rows, f"(close it with /reports {one.number} acted WHY, or /reports {one.number} nothing WHY)"]
