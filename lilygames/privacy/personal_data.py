"""Every kind of record and log, and the personal data in it.

Deletion and export follow these lists, and so does `/help privacy`. A kind that isn't listed makes a test fail.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Callable
from typing import Any

import attrs

from lilygames import codec
from lilygames.chat.accounts.identity import Identity
from lilygames.chat.names.names import skeleton
from lilygames.chat.people.profile import Profile
from lilygames.store import Entry, Store

WISHES = "unregister"
"""Kind of the records of wishes to be deleted. A deletion ends with that record."""
PAGE = 100
"""Entries of a log that are looked at together."""
_AT_ONCE = 200
"""Records that are looked at before others get their turn."""


Change = Callable[[str, Identity], str | None]
"""Returns the JSON of someone else's record, or of an entry, without a person; None deletes the record."""
Part = Callable[[Any, Identity], Any]
"""Returns what of a record or entry, as data, is about a person, for the export; None if nothing is."""


@attrs.frozen
class Kind:
    """A kind of records, or the logs whose names begin with it, and what of a person is in them."""

    name: str
    holds: str = ""
    """The data about a person in it, for the export and the help page; empty if it says nothing about anyone."""
    own: tuple[str, ...] = ()
    """The keys of a person's own ones: `{key}`, `{name}` or `{skeleton}`, after a `*` that stands for anything."""
    change: Change | None = None
    """How to delete a person from those of others; None if their names are in none."""
    part: Part | None = None
    """Picks out what is exported from those that others share; None if nothing in them is only about the person."""
    stays: bool = False
    """Whether it stays until it's old enough, because the staff needs it: warnings, bans, reports and what was done."""
    beside: bool = False
    """Whether ids stand for people there, and names are in records beside. `forget_names` deletes those."""
    secret: tuple[str, ...] = ()
    """Fields that aren't exported, such as the hash of a password; `*` is all of it."""

    def own_keys(self, who: Identity) -> list[str]:
        """Return the patterns of a person's own records or logs."""
        given = [{"key": who.key, "name": name, "skeleton": skeleton(name)} for name in sorted(who.names)]
        return [*dict.fromkeys(pattern.format(**one) for pattern in self.own for one in given)]

    def owns(self, key: str, who: Identity) -> bool:
        """Return whether a record or log under this key is a person's own."""
        return any(
            key.endswith(pattern[1:]) if pattern.startswith("*") else key == pattern for pattern in self.own_keys(who)
        )

    @property
    def scattered(self) -> bool:
        """Whether all of them must be looked at to find a person's."""
        return bool(self.change or self.part) or any(pattern.startswith("*") for pattern in self.own)


# how a person is deleted from what others share


def renamed(*fields: str) -> Change:
    """Return a change that replaces a person in these JSON fields: texts, lists of texts, and keys of objects."""
    wanted = frozenset(fields)

    def change(body: str, who: Identity) -> str:
        return json.dumps(_renamed(json.loads(body), wanted, who), separators=(",", ":"), sort_keys=True)

    return change


def _renamed(data: Any, fields: frozenset[str], who: Identity) -> Any:
    match data:
        case dict():
            return {
                key: _named(one, fields, who) if key in fields else _renamed(one, fields, who)
                for key, one in data.items()
            }
        case list():
            return [_renamed(one, fields, who) for one in data]
    return data


def _named(data: Any, fields: frozenset[str], who: Identity) -> Any:
    """Return the value of a field that names people."""
    match data:
        case str():
            return who.shown if who.means(data) else data
        case list():
            return [_named(one, fields, who) for one in data]
        case dict():
            return {who.shown if who.means(key) else key: _renamed(one, fields, who) for key, one in data.items()}
    return data


def _from_profile(body: str, who: Identity) -> str:
    profile: Profile = codec.from_text(body, Profile)
    return codec.to_text(profile.without(who.names))


def _from_room(body: str, who: Identity) -> str | None:
    """Return a room without someone's rights; None if it is theirs."""
    room = json.loads(body)
    charter = room["charter"]
    if who.means(charter.get("owner")):
        return None
    for field, value in charter.items():
        match value:
            case list():
                charter[field] = [name for name in value if not who.means(name)]
            case dict():
                charter[field] = {name: until for name, until in value.items() if not who.means(name)}
            case _ if who.means(value):
                charter[field] = ""
    return json.dumps(room)


def _from_event(body: str, who: Identity) -> str | None:
    """Return an event without someone who has joined; None if they planned it."""
    event = json.loads(body)
    if who.means(event["host"]):
        return None
    event["joined"] = [name for name in event["joined"] if not who.means(name)]
    return json.dumps(event, separators=(",", ":"), sort_keys=True)


def _from_feedback(body: str, who: Identity) -> str | None:
    """Return feedback without someone's name on the screen that belongs to it; None if it is theirs."""
    case = json.loads(body)
    if who.means(case["by"]):
        return None
    case["screen"] = [_without_words(line, who) for line in case["screen"]]
    return json.dumps(case, separators=(",", ":"), sort_keys=True)


def _from_motd(body: str, who: Identity) -> str | None:
    return None if who.means(json.loads(body)["by"]) else body


def _from_presets(body: str, who: Identity) -> str:
    saved = json.loads(body)
    for name, line in saved["lines"].items():
        saved["lines"][name] = " ".join(word for word in line.split(" ") if not who.means(word))
    return json.dumps(saved, separators=(",", ":"), sort_keys=True)


def _from_text(body: str, who: Identity) -> str:
    return _without_words(body, who)


def _without_words(text: str, who: Identity) -> str:
    """Return a text with someone's names replaced where they are words of their own."""
    words = "|".join(sorted(map(re.escape, who.marks), key=len, reverse=True))
    return re.sub(rf"(?<![\w~-])(?:{words})(?![\w~-])", who.shown, text, flags=re.IGNORECASE)


def _from_talk(body: str, who: Identity) -> str:
    """Return chat events without those of a person, or to them alone; where others got them too, the name goes."""
    return json.dumps([kept for one in json.loads(body) if (kept := _talk_of_others(one, who))], separators=(",", ":"))


def _talk_of_others(one: dict[str, Any], who: Identity) -> dict[str, Any] | None:
    others = [name for name in one["to"] if not who.means(name)]
    if who.means(one["by"]) or (one["to"] and not others):
        return None
    return {**one, "to": [who.shown if who.means(name) else name for name in one["to"]]}


# what is exported from what others share


def _by(*fields: str) -> Part:
    """Return a part that is all of it, if one of these fields is the person."""
    return lambda data, who: data if any(who.means(data.get(field)) for field in fields) else None


def _act_by(*fields: str) -> Part:
    """Return a part that is the act in the body of an entry, if one of its fields is the person."""
    is_mine = _by(*fields)
    return lambda data, who: is_mine(data["act"], who)


def _member_of(data: Any, who: Identity) -> Any:
    """Return an event that the person planned or joined, without the others."""
    mine = who.means(data["host"]) or any(map(who.means, data["joined"]))
    return {**data, "joined": [*filter(who.means, data["joined"])]} if mine else None


def _said(data: Any, who: Identity) -> Any:
    return [one for one in data if who.means(one["by"])] or None


def _rated(data: Any, who: Identity) -> Any:
    rows = [row for row in data.get("players", data.get("now", ())) if who.means(row["key"])]
    return {**{key: value for key, value in data.items() if key in ("kind", "table")}, "you": rows} if rows else None


def _team(data: Any, who: Identity) -> Any:
    mine = any(who.means(one["key"]) for team in data["teams"] for one in team)
    return {"game": data["game"], "until": data["until"]} if mine else None


def _room(data: Any, who: Identity) -> Any:
    rights = [field for field, value in data["charter"].items() if who.means(value) or _is_in_list(value, who)]
    return {"name": data["name"], "title": data["title"], "you": rights} if rights else None


def _is_in_list(value: Any, who: Identity) -> bool:
    return isinstance(value, list) and any(map(who.means, value))


NOBODYS = (
    *(
        "secret",
        "set",
        "ladder",
        "tournament",
        "tournament-seen",
        "tournament-told",
        "tournament-reminder",
        "curves-filled",
        "event-number",
        "fairness",
        "node",
        "rated",
        "ranked-to",
    ),
    *("mailing-key", "mailing-codes", "mailing-stop", "push-key", "duplicate"),
    *("deletions-key", "retired-name", "deleted", "deletions-again"),
    *("archive", "packed", "retention", "disk", "tournament-reminder"),
)
"""Kinds of records that say nothing about anyone."""
RECORDS = (
    Kind(
        "belongings",
        "your settings, blurb, info, memos, rooms, groups, friends, whom you ignore, and what bots remember",
        ("{key}",),
        _from_profile,
    ),
    Kind(
        "mailing",
        "your mail address, push topic and browsers that get messages, and what waits to be sent there",
        ("{key}",),
    ),
    Kind("mailing-queue", "when your next mail is due", ("{key}",)),
    Kind("session", "your sessions, with the addresses they came from", ("{key}",), secret=("digest", "tokens")),
    Kind("vacation", "your vacations", ("{key}",)),
    Kind("detached", "when you detached, until you are back", ("{key}",)),
    Kind("presets", "your presets", ("{key}",), _from_presets),
    Kind("note", "your notes at tables", ("*/{name}",), _from_text),
    Kind("feedback", "your feedback", change=_from_feedback, part=_by("by")),
    Kind("event", "events that you planned or joined", change=_from_event, part=_member_of),
    Kind("discussion", "rooms that you own, and your rights in rooms of others", change=_from_room, part=_room),
    Kind("motd", "the message of the day, if you wrote it", change=_from_motd, part=_by("by")),
    Kind("rating", "your ratings", ("*/{key}",), renamed("met")),
    Kind("ranked", "your places in the order of ratings", ("*/{key}",)),
    Kind("curve", "how your ratings have changed", ("*/{key}",)),
    Kind("listed", "that search engines may list your page", ("{key}",)),
    Kind("recap", "how you did in games, as an id", beside=True),
    Kind("stats", "your statistics, and how you did against others", ("* {key}",), renamed("rivals", "name")),
    Kind("achievements", "your achievements", ("{key}",)),
    Kind("mistakes", "the costliest moves that your reviews have found", ("{key}",)),
    Kind("streak", "your streak of daily deals", ("{key}",)),
    Kind("ranking", "your places in the rankings of past weeks and months", change=renamed("key", "met")),
    Kind("simul", "your latest simul, and games in those of others", ("{key}",), renamed("opponent")),
    Kind("tournament-ban", "for how long you can't join tournaments after a no-show", ("{key}",)),
    Kind("here", "where you are now, if several servers are joined", ("{name}",)),
    Kind("unreadable", "copies of your records that couldn't be read", ("*/{key}", "* {key}"), _from_text),
    Kind("standing", "your warnings, mutes and bans", ("{key}",), stays=True),
    Kind("report", "your reports to the staff, and those about you", part=_by("by"), stays=True),
    Kind("report-closed", "your decided reports, and those about you", part=_by("by"), stays=True),
    Kind("address-ban", stays=True),
    Kind("names/", "your name and a salt beside the log of each table you had a seat at", beside=True),
    Kind("named/", "the tables beside which your name is", beside=True),
    Kind("open", "the tables in play where you have a seat, if several servers are joined", beside=True),
    Kind("sysop-claim", "the hash of a one-time word", ("{name}",), secret=("*",)),
    Kind("recovery", "the hash of a one-time word", ("{key}",), secret=("*",)),
    Kind("role", "your role for the whole place", ("{key}",)),
    Kind("since", "when you registered", ("{key}",)),
    Kind("account", "your name and the hash of your password", ("{name}",), secret=("digest",)),
    Kind("former", "your former names", ("{name}",)),
    Kind(WISHES, "when your account will be deleted, if you asked for that", ("{key}",)),
    *map(Kind, NOBODYS),
)
"""Every kind of records. An account's own record goes last, so that an interrupted deletion finds it again."""
LOGS = (
    Kind("mail/", "private messages that you sent and got", ("{key}",), _from_talk),
    Kind("said/", "what you said in rooms", change=_from_talk, part=_said),
    Kind("played/", "the games you played", ("{key}",)),
    Kind("purse/", "your purses", ("*/{key}",)),
    Kind("daily/", "the days on which you played a daily deal", ("{key}",)),
    Kind("stats/", "the games in your statistics", ("* {key}",)),
    Kind("achievements/", "the games in which you achieved something", ("{key}",)),
    Kind("simul/", "the games of your simuls", ("{key}",)),
    Kind("ratings", "your places in rated games", change=renamed("key", "name", "met"), part=_rated),
    Kind("ratings/2", "your ratings after each game", change=renamed("key", "name", "met"), part=_rated),
    Kind("tournaments", "tournaments that you organized", change=renamed("by"), part=_by("by")),
    Kind(
        "tournament/",
        "what you did in tournaments",
        change=renamed("key", "name", "one", "other", "people", "order", "by"),
        part=_act_by("key", "one", "other", "by"),
    ),
    Kind(
        "ladder/",
        "what you did on ladders",
        change=renamed("key", "name", "challenger", "defender", "challengers", "players", "winner"),
        part=_act_by("key", "challenger", "defender", "winner"),
    ),
    Kind("team-matches", "your team matches", change=renamed("key", "name"), part=_team),
    Kind("claim/", "that your name is taken, if several servers are joined", ("name {skeleton}",)),
    Kind("tables", "tables that you opened, as an id", beside=True),
    Kind("table/", "what you did at tables, as an id", beside=True),
    Kind("duplicate/", "your tables with the same cards as others, as an id", beside=True),
    Kind("audit", "what the staff did, and why", part=_by("by", "whom"), stays=True),
    *map(Kind, ("draws", "deletions", "resume-key")),
)
"""Every kind of logs."""


# delete


async def erase(store: Store, who: Identity) -> None:
    """Delete everything stored about a person, except beside tables. Doing so again changes nothing.

    Raises `StoreUnavailable`.
    """
    for kind in LOGS:
        await _erase_logs(store, kind, who)
    for kind in RECORDS:
        if kind.name != WISHES and not kind.stays:
            await _erase_records(store, kind, who)


async def _erase_records(store: Store, kind: Kind, who: Identity) -> None:
    if not kind.scattered:
        for key in kind.own_keys(who):
            await store.forget(kind.name, key)
        return
    for number, (key, body) in enumerate((await store.every(kind.name)).items()):
        if kind.owns(key, who):
            await store.forget(kind.name, key)
        elif kind.change and who.is_in(body):
            await _change_record(store, kind, key, who)
        if number % _AT_ONCE == 0:
            await asyncio.sleep(0)


async def _change_record(store: Store, kind: Kind, key: str, who: Identity) -> None:
    """Delete a person from someone else's record, which may be changed at the same time."""
    while (body := await store.find(kind.name, key)) is not None:
        after = changed(kind, body, who)
        if after == body or await store.swap(kind.name, key, body, after):
            return


def changed(kind: Kind, body: str, who: Identity) -> str | None:
    """Return a text without a person; a text that can't be read loses the names that are words of their own."""
    try:
        return kind.change(body, who) if kind.change else body
    except (ValueError, LookupError, TypeError, AttributeError):
        return _without_words(body, who)


async def _erase_logs(store: Store, kind: Kind, who: Identity) -> None:
    if kind.beside or kind.stays:
        return
    async for log in logs_of(store, kind, who):
        if kind.owns(log.removeprefix(kind.name), who):
            await store.erase(log)
        elif kind.change:
            await _change_log(store, kind, log, who)


async def logs_of(store: Store, kind: Kind, who: Identity) -> AsyncIterator[str]:
    """Yield the names of the logs of a kind in which a person may be."""
    if not kind.name.endswith("/"):
        yield kind.name
    elif not kind.scattered:
        for key in kind.own_keys(who):
            yield f"{kind.name}{key}"
    else:
        after = ""
        while names := await store.logs(kind.name, after):
            for name in names:
                yield name
            after = names[-1]


async def _change_log(store: Store, kind: Kind, log: str, who: Identity) -> None:
    after = 0
    while (page := await store.read(log, after, PAGE)).entries:
        entries = [_changed_entry(kind, entry, who) for entry in page.entries if who.is_in(entry.by, entry.body)]
        if entries:
            await store.rewrite(log, entries)
        after = page.entries[-1].seq


def _changed_entry(kind: Kind, entry: Entry, who: Identity) -> Entry:
    by = who.shown if who.means(entry.by) else entry.by
    return attrs.evolve(entry, by=by, body=changed(kind, entry.body, who) or "{}")
