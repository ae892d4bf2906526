"""The front page: the games with their pictures, and the lists of the lobby as they are now.

The lists have the same keys and elements as those that `lobby.js` makes, so a page takes them over without a change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from math import cos, pi, sin
from typing import Any

import attrs

from lilygames.edge.web.pages import HTML, PageAnswer
from lilygames.game import Game
from lilygames.sites import drawn
from lilygames.sites.markup import Html, h, joined
from lilygames.sites.samples import sample
from lilygames.text import count, listing

KEEP = 5.0
"""Seconds for which the lists are kept."""
NAMED = 3
"""Most people that the sentence about who is here names."""
_FIRST = "ohell wizard liarsdice liedie liarspoker liarslair lilypoker".split()
"""The order of the games; others come last."""
_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_COMING = 3
Facts = Mapping[str, Any]


@attrs.frozen
class LobbyPage:
    """Makes the front page of the page for players: `html`, with marks where the lists are."""

    html: str = attrs.field(repr=False)
    games: Sequence[Game]
    facts: Callable[[], Facts]
    """Returns what someone who hasn't logged in may know of the place."""

    async def page(self, _: str) -> PageAnswer:
        """Return the page as it is now."""
        facts, titles = self.facts(), {game.name: game.title for game in self.games}
        deals = inorder(facts["daily"]["games"])
        parts = {
            "pick": pick(facts["who"], facts["people"]),
            "waiting": joined(waits(one, titles) for one in facts["waiting"]) if facts["waiting"] else nobody_waits(),
            "brief": joined(brief(facts["events"], deals, titles)),
            "games": tiles(self.games),
            "playing": joined(felt(one, titles) for one in facts["playing"]),
            "coming": joined(coming(one, titles) for one in facts["events"][:_COMING]),
            "week": joined(week(date.fromisoformat(facts["daily"]["day"]))),
            "deals": joined(deal(name, titles) for name in deals),
            "top": joined(ranked(facts["top"], titles)) if facts["top"] else Html(""),
        }
        return PageAnswer(200, filled(self.html, parts), HTML, KEEP)


def filled(page: str, parts: Mapping[str, Html]) -> str:
    """Return a page with parts in place of their marks (`<!--games-->`); a hidden list with contents is shown."""
    for name, part in parts.items():
        page = page.replace(f"<!--{name}-->", str(part), 1)
        if str(part):
            page = page.replace(f' data-filled="{name}" hidden', f' data-filled="{name}"', 1)
    return page


def with_games(page: str, games: Sequence[Game]) -> str:
    """Return the page for players with its games, but without lists."""
    return filled(page, {"games": tiles(games), "pick": pick((), 0), "waiting": nobody_waits()})


def tiles(games: Sequence[Game]) -> Html:
    """Return all games, a row of HTML for each."""
    return joined((h("li", {"data-key": game.name}, tile(game)), "\n") for game in ordered(games))


def ordered(games: Sequence[Game]) -> list[Game]:
    """Return the games in the order of the lobby."""
    return sorted(games, key=lambda game: _place(game.name))


def inorder(names: Sequence[str]) -> list[str]:
    """Return the names of games in that order."""
    return sorted(names, key=_place)


def _place(name: str) -> tuple[int, str]:
    return (_FIRST.index(name) if name in _FIRST else len(_FIRST)), name


def pick(who: Sequence[str], people: int) -> Html:
    """Return the row below the heading."""
    return h("p", {"class": "pick"}, company(who, people))


def company(who: Sequence[str], people: int) -> str:
    """Return who is here, and what one can do: never that nobody is."""
    if not who:
        return "Bots take the empty seats, so you get your first turn in seconds."
    rest = people - len(who[:NAMED])
    names = [*who[:NAMED], *([count(rest, "other")] if rest > 0 else [])]
    verb = "is" if people == 1 else "are"
    return f"{listing(names)} {verb} here. A bot takes any seat that nobody wants."


def tile(game: Game) -> Sequence[Html]:
    """Return a game: its title, how many can play, its picture, and what starts it."""
    seats = game.rules.SEATS
    play = h(
        "button",
        {"class": "game", "type": "button", "data-line": f"/quick {game.name}"},
        h("strong", {}, game.title),
        h("span", {"class": "about"}, f"{seats.start}–{seats.stop - 1} players"),
        sample(game.name),
        h("span", {"class": "start"}, "Play", h("span", {"class": "hidden"}, f" {game.title}")),
    )
    lesson = _link("Lesson", f"Lesson in {game.title}", {"data-line": f"/learn {game.name}"}) if game.lesson else None
    rules = _link("Rules", f"Rules of {game.title}", {"data-help": game.name})
    return play, h("p", {"class": "more"}, lesson, rules)


def _link(text: str, name: str, does: Mapping[str, str]) -> Html:
    return h("button", {"class": "link", "type": "button", "aria-label": name, **does}, text)


def nobody_waits() -> Html:
    """Return the row in place of those who wait: what one can do."""
    words = "Pick a game: others can take a bot's seat at your table in the next round."
    return h("li", {"class": "none", "data-key": "none"}, words)


def waits(one: Facts, titles: Mapping[str, str]) -> Html:
    """Return a table that someone can join with one click."""
    title, names = titles.get(one["game"], one["game"]), one["names"]
    now = str(one["now"]).lower()
    key = f"{one['table']} {','.join(map(str, (*names, one['bots'], one['free'], now)))}"
    many = len(names) > 1
    if one["now"]:
        does = "wait" if many else "waits"
        about = f"{title}, {count(one['free'], 'seat')} free"
    else:
        does = "play" if many else "plays"
        about = f"{title} with {count(one['bots'], 'bot')}, from the next round"
    words = h("span", {}, h("b", {}, listing(names[:2])), f" {does}", h("span", {"class": "soft"}, about))
    name = f"Join {listing(names[:2])} at {title}"
    join = h(
        "button", {"class": "go", "type": "button", "data-line": f"/sit {one['table']}", "aria-label": name}, "Join"
    )
    return h("li", {"data-key": key}, drawn.face(names[0]), words, join)


def felt(one: Facts, titles: Mapping[str, str]) -> Html:
    """Return a table with people to watch: its seats around the felt, what is in its middle, and a caption."""
    title, seats = titles.get(one["game"], one["game"]), one["seats"]
    plates = (plate(seat, len(seats), *who, turn=seat == one["turn"]) for seat, who in enumerate(seats))
    middle = h("text", {"x": 130, "y": 76, "class": "middle"}, one["middle"])
    table = h("ellipse", {"cx": 130, "cy": 70, "rx": 122, "ry": 64, "class": "rim"})
    caption = ", ".join(filter(None, (one["part"], f"{one['watching']} watching" if one["watching"] else "")))
    people = listing(name for name, bot in seats if not bot)
    return h(
        "li",
        {"data-key": one["number"]},
        h(
            "button",
            {"type": "button", "data-line": f"/watch {one['number']}", "aria-label": f"Watch {title} with {people}"},
            drawn.svg("0 0 260 140", {"class": "mini"}, table, middle, plates),
            h("span", {}, h("b", {}, title), h("span", {"class": "soft"}, caption)),
        ),
    )


def plate(seat: int, seats: int, name: str, bot: bool, *, turn: bool) -> Html:  # noqa: FBT001 - as a row has it
    """Return a player at the edge of a small felt."""
    angle = pi / 2 + 2 * pi * seat / seats
    x, y = round(130 + 98 * cos(angle)), round(70 + 55 * sin(angle))
    text = name if len(name) <= 9 else f"{name[:8]}…"  # noqa: PLR2004 - letters that fit
    wide = 7 * len(text) + 14
    box = h("rect", {"x": round(x - wide / 2), "y": y - 10, "width": wide, "height": 20, "rx": 10})
    kind = " ".join(filter(None, ("who", "bot" if bot else "", "now" if turn else "")))
    return h("g", {"class": kind}, box, h("text", {"x": x, "y": y + 4}, text))


def brief(events: Sequence[Facts], deals: Sequence[str], titles: Mapping[str, str]) -> Iterator[Html]:
    """Yield the two tiles that a narrow screen shows first: what comes next, and today's deal."""
    if one := next((one for one in events if one["state"] == "open"), None):
        key = f"next {one['kind']} {one['title']} {one['at']} {str(one['mine']).lower()}"
        starts = h("span", {}, "starts in ", h("time", {"data-at": one["at"]}, "a while"))
        yield h("li", {"class": "felted", "data-key": key}, h("b", {}, entitled(one, titles)), starts)
    for name in deals[:1]:
        text = f"play {titles.get(name, name)}"
        words = (h("b", {}, "Today’s deal"), h("span", {}, text))
        play = h("button", {"type": "button", "data-line": f"/daily {name}"}, words)
        yield h("li", {"data-key": f"deal {name} {text}"}, play)


def entitled(one: Facts, titles: Mapping[str, str]) -> str:
    """Return the title of an event or a tournament; the place's own are called after their game."""
    game, title = titles.get(one["game"], one["game"]), one["title"]
    if not one["game"]:
        return str(title)
    own = not one["by"] and title.startswith(f"{one['game']}-")
    return f"{game} {title.removeprefix(one['game'])[1:].capitalize()}" if own else f"{game}: {title}"


def coming(one: Facts, titles: Mapping[str, str]) -> Html:
    """Return an event or a tournament. The page makes a countdown of its time."""
    title = entitled(one, titles)
    what = "event" if one["kind"] == "event" else "tournament"
    name = one["number"] if what == "event" else one["title"]
    line = f"/{what} join {name}"
    key = f"{what} {name} {one['joined']},{str(one['mine']).lower()},false,{one['at']},{one['state']}"
    facts = [count(one["joined"], "person", "people") + " joined"] if one["joined"] else []
    by = f"by {one['by']}" if one["by"] else ""
    return h(
        "li",
        {"data-key": key},
        h("span", {}, h("b", {}, title), h("span", {"class": "soft"}, ", ".join([*facts, by]))),
        h("time", {"data-at": one["at"]}, "soon"),
        h(
            "button",
            {"class": "go", "type": "button", "data-line": line, "aria-label": f"Join: {title}"},
            "Join",
        ),
    )


def week(today: date) -> Iterator[Html]:
    """Yield the last seven days. The page ticks those on which you have played."""
    for ago in range(6, -1, -1):
        day = today - timedelta(days=ago)
        square = h("i", {"class": None if ago else "today"})
        yield h("li", {"data-day": day.isoformat()}, square, _DAYS[day.weekday()])


def deal(name: str, titles: Mapping[str, str]) -> Html:
    """Return today's deal of a game."""
    title = titles.get(name, name)
    label = f"Play today’s deal of {title}"
    play = h("button", {"type": "button", "data-line": f"/daily {name}", "aria-label": label}, title)
    return h("li", {"data-key": f"{name} "}, play)


def ranked(top: Facts, titles: Mapping[str, str]) -> Iterator[Html]:
    """Yield the top of a ranking: a heading, and a row for each player."""
    title = titles.get(top["game"], top["game"])
    all_ = h("a", {"href": f"/standings/{top['game']}"}, "All")
    yield h("div", {"class": "row top", "data-key": f"head {top['game']}"}, h("h3", {}, f"{title} ladder"), all_)
    rows = enumerate(top["rows"], 1)
    found = (
        h("li", {}, h("span", {}, place), drawn.face(name), h("b", {}, name), h("span", {}, f"{rating:.1f}"))
        for place, (name, rating) in rows
    )
    key = ",".join(f"{name},{rating}" for name, rating in top["rows"])
    yield h("ol", {"data-key": key}, found)
