"""The `/daily` and `/duplicate` commands: the same cards for everyone, and the results by seat."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from datetime import date, timedelta

import attrs

from lilygames import codec
from lilygames.chat.people.people import Person
from lilygames.commands import command
from lilygames.errors import UserError
from lilygames.game import Game, Reader
from lilygames.tables.duplicate import daily_rules
from lilygames.tables.duplicate.daily_deals import DailyDeals, shown_day
from lilygames.tables.duplicate.daily_rules import Streak
from lilygames.tables.duplicate.duplicate_set import DuplicateSet, Ended, is_name
from lilygames.tables.duplicate.matchpoints import Placed
from lilygames.tables.log import beacon
from lilygames.tables.log.acts import Header, Seated, Sitter, Start
from lilygames.tables.log.options import Frame
from lilygames.tables.open import game_names
from lilygames.tables.open.opening import Plan
from lilygames.tables.room import seating
from lilygames.tables.room.bot import TableBot
from lilygames.tables.room.welcome import show_way_back
from lilygames.tables.seal.seal import shown
from lilygames.tables.state.strategies import seated_bot
from lilygames.tables.visits.table_context import GameName, TableContext
from lilygames.text import count, listing, shortened

_ROWS = 10
"""Maximum players in a list of standings."""
CHANGED = "its rules or bots have changed since it was sealed"


@command("daily", group="start")
async def daily(at: TableContext, game: GameName = "") -> Sequence[str] | None:
    """Play today's deal, with the same cards and bots for everyone: /daily ohell. /daily lists the games.

    You can play each deal once, within 24 hours, and nobody can watch. Then
    /daily ohell shows how you compare with the others.
    """
    if not game:
        return [row async for row in _listed(at)]
    kind, deals = at.tables.game(game), at.tables.daily_deals
    if kind not in deals.games:
        names = listing((one.name for one in deals.games), "or")
        raise UserError(f"{kind.title} has no daily deal. Type /daily {names}.")
    day = deals.today
    found = await deals.deal_for(kind, day, at.person.name)
    mine = deals.game_of(found, at.person.name)
    if not (found.can_be_played(kind) or (mine and mine.finished)):
        raise UserError(f"today's deal of {kind.title} is stopped: {CHANGED}. Type /daily to see the others.")
    if not found.sealed:
        raise UserError("today's cards aren't drawn yet: the number of the public beacon is missing. Try again soon.")
    if mine is None:
        await _play(at, kind, found)
    elif mine.finished is None:
        await go_on_alone(at, mine.added.table, found, called="Daily deal")
    await deals.played(at.person.name, day)
    return await _standings(at, kind, found, mine.added.table) if mine and mine.finished else None


async def _listed(at: TableContext) -> AsyncIterator[str]:
    """Yield the list of today's deals with the person's results, and tomorrow's seals."""
    deals = at.tables.daily_deals
    today = deals.today
    tomorrow = today + timedelta(days=1)
    yield f"Daily deals for {shown_day(today)}:"
    drawn = dict[str, None]()
    for game in deals.games:
        found = await deals.deal_for(game, today, at.person.name)
        yield f"  {game.name:<12} {_status(deals, found, game, at.person)}"
        drawn[_drawn(deals, found)] = None
    for sentence in filter(None, drawn):
        yield sentence
    guest = await deals.is_guest(at.person.name)
    if guest:
        yield "These are guests' cards: guests are compared with each other. Type /register to play everyone's."
    if streak := _streak(await deals.streak(at.person.name), today):
        yield streak
    yield f"Seals for {shown_day(tomorrow)}:"
    for game in deals.games:
        found = await deals.deal(game, tomorrow, guests=guest)
        yield f"  {game.name:<12} {shown(found.header.seal)}"


def _streak(streak: Streak, today: date) -> str:
    """Return a person's streak in words; empty if they never played. It never warns that a streak could end."""
    now = streak.on(today)
    if not now:
        return f"Your best streak is {count(streak.best, 'day')}." if streak.best else ""
    best = f"; your best streak is {count(streak.best, 'day')}" if streak.best > now else ""
    misses = f" You hold {count(streak.misses, 'free miss', 'free misses')}." if streak.misses else ""
    return f"You have played {count(now, 'day')} in a row{best}.{misses}"


def _drawn(deals: DailyDeals, found: DuplicateSet) -> str:
    """Return how the public beacon took part in a deal; empty if the sysop hasn't set one."""
    if not found.header.beacon:
        late = "Today's seals weren't shown before midnight, so these cards don't use the public beacon."
        return late if deals.has_beacon else ""
    if not found.sealed:
        return "The cards are drawn as soon as the public beacon has told its number of midnight."
    number = beacon.round_of(found.words)
    if not number:
        return "The public beacon couldn't be reached, so the host knew these cards in advance."
    return f"Drawn with round {number} of the public beacon {found.header.beacon[:14]}, so nobody chose these cards."


def _status(deals: DailyDeals, found: DuplicateSet, game: Game, person: Person) -> str:
    """Return how a deal stands for a person."""
    mine = deals.game_of(found, person.name)
    if not (found.can_be_played(game) or (mine and mine.finished)):
        return f"stopped: {CHANGED}"
    if mine is None:
        return f"not played yet: type /daily {game.name}"
    if mine.finished is None:
        return f"you're playing at table #{mine.added.table}: type /daily {game.name}"
    if mine.case:
        return f"not compared, because a bot failed (case {mine.case})"
    placed = daily_rules.day_standings(deals.entrants(found)).of(mine.added.table)
    return _result(game, placed) if placed else "you didn't finish this game"


def _score(game: Game | None, points: int) -> str:
    """Return a score in what the game counts: points, chips or units."""
    return count(points, _unit(game))


def _unit(game: Game | None) -> str:
    return game.purse.unit if game and game.purse else "point"


def _result(game: Game, placed: Placed) -> str:
    better = f", better than {100 * placed.beaten // placed.others}% of {placed.others}" if placed.others else ""
    return f"{_score(game, placed.result.total)}{better}"


# play


async def _play(at: TableContext, game: Game, found: DuplicateSet) -> None:
    """Open a table for a person's game of a deal, and start it; raises `UserError`."""
    apart = await at.tables.daily_deals.is_apart(at.person.name, found)
    await play_alone(at, game, found, called="Daily deal", apart=apart)


async def play_alone(at: TableContext, game: Game, found: DuplicateSet, *, called: str, apart: bool = False) -> None:
    """Open a private table where a person plays the cards of a set with its bots, and start it.

    Raises `UserError`, also if they have begun before, or have seen the cards at someone else's table. `apart` lists
    their game apart.
    """
    if found.has_played(at.tables.host.accounts.key(at.person.name)):
        raise UserError("you've already seen these cards at another table, so you can't play them now.")
    plan = await _keyed(at, Plan(game, None, Frame(private=True, rated=False)), found)
    key = at.tables.host.accounts.key(at.person.name)
    bot = await at.tables.opening.new(attrs.evolve(plan, entrant=key, apart=apart), at.person)
    await at.do(bot, _begin, at.person, found, called)


async def _begin(bot: TableBot, person: Person, found: DuplicateSet, called: str) -> None:
    """Seat the player and the set's bots, and start."""
    for seat, (name, level) in [*enumerate(found.seats)][len(bot.table.seats) :]:
        who = seated_bot(bot.table.game, name, level) if level else Sitter(person.name)
        await bot.runner.act(person.name, Seated(seat, who))
    if bot not in person.seats:
        person.seats.append(bot)
    person.go(bot.room)
    bot.room.watch(person)
    await show_way_back(bot.services.players, person)
    title, bots = bot.table.game.title, listing(name for name, level in found.seats if level)

    def begins(_: Reader) -> str:
        return f"{called}: {title}, with {bots}. The seal is {shown(found.header.seal)}."

    await bot.runner.act(person.name, Start(), begins)
    await bot.go_on()


async def go_on_alone(at: TableContext, number: int, found: DuplicateSet, *, called: str) -> None:
    """Take a person back to their game; raises `UserError` if it is stopped."""
    if number not in at.tables.open:
        await at.tables.following.follow(number)  # it may be open at another node
    bot = at.tables.open.get(number)
    if bot is None:
        raise UserError(f"your game, table #{number}, can't continue now. Type /feedback TEXT to tell the sysop.")
    if not bot.table.started:  # it was interrupted before its first card
        await at.do(bot, _begin, at.person, found, called)
        return
    at.person.go(bot.room)
    at.person.show(*bot.remind(at.person))


# standings


async def _standings(at: TableContext, game: Game, played: DuplicateSet, table: int) -> list[str]:
    """Return the standings of today's deal and of the week, and a line to paste. Guests have only those of the day."""
    deals = at.tables.daily_deals
    day = deals.today
    found = daily_rules.day_standings(deals.entrants(played))
    of_guests = daily_rules.is_of_guests(played.header.name)
    rows = [f"{game.title}, {shown_day(day)}{', guests' * of_guests}:", *_places(game, found.listed)]
    if found.apart:
        rows += ["Listed apart:", *_places(game, found.apart)]
    week = [] if of_guests else (await deals.week(game, day))[:_ROWS]
    if week:
        rows.append("This week (the best five days count):")
        now = at.tables.host.accounts.now
        rows += [
            f"{place:>4}. {now(row.key):<16} {100 * float(row.points):.1f}  {count(row.days, 'day')}"
            for place, row in enumerate(week, 1)
        ]
    placed = found.of(table)
    if placed is None:
        return [*rows, "Your game isn't in the standings."]
    streak = (await deals.streak(at.person.name)).on(day)
    return [*rows, daily_rules.line_to_paste(day, game.name, placed, streak, _unit(game))]


def _places(game: Game | None, placed: Sequence[Placed]) -> Iterator[str]:
    """Yield a row for each of the best results."""
    for one in placed[:_ROWS]:
        share = f"{100 * float(one.share):.1f}%"
        yield f"{one.place:>4}. {one.result.name:<16} {share:>6}  {_score(game, one.result.total)}  #{one.result.table}"
    if len(placed) > _ROWS:
        yield f"      and {count(len(placed) - _ROWS, 'more player')}"


# the cards of a table


def named(words: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """Split off `duplicate=NAME`, and return the name (empty without one) and the other words; raises `UserError`."""
    is_one = [word.casefold().startswith("duplicate=") for word in words]
    names = [word.partition("=")[2].casefold() for word, one in zip(words, is_one, strict=True) if one]
    rest = tuple(word for word, one in zip(words, is_one, strict=True) if not one)
    if names and (not is_name(names[-1]) or names[-1].startswith(daily_rules.RESERVED)):
        reserved = listing(daily_rules.RESERVED, "or")
        raise UserError(
            f"a name for cards has up to 40 letters, digits and hyphens, and doesn't begin with {reserved}."
        )
    return (names[-1] if names else ""), rest


async def found(at: TableContext, plan: Plan, name: str) -> DuplicateSet | None:
    """Return the set with this name, None if the table is its first; raises `UserError` if it takes no such table."""
    game, sets = plan.game, at.tables.duplicates
    if game.joins or game.purse or plan.frame.sealed:
        raise UserError(f"{game.title} can't be played with the same cards at several tables, or not with seal=closed.")
    one = await sets.find(name)
    if one is None:
        return None
    one = await sets.sealed(one)
    if not one.takes_tables(sets.now()):
        raise UserError(f"the cards of {name} are no longer dealt. Please choose another name.")
    if not one.sealed and not one.plays(one.first):
        raise UserError(f"the cards of {name} were never dealt. Please choose another name.")
    if not one.sealed:
        raise UserError(f"the first table with these cards, table #{one.first}, hasn't started yet.")
    if one.header.game != game.name or codec.dump(plan.options) not in (one.header.options, _default(game)):
        title = game_names.title(at.tables.games, one.header.game)
        raise UserError(f"{name} is {title} with other options. Type /duplicate {name} to see it.")
    people = sum(not level for _, level in one.seats)
    if 1 + len(plan.invited) != people:
        raise UserError(f"{name} is dealt to {count(people, 'person', 'people')}. Invite {people - 1} by name.")
    await check_new_player(at, name)
    return one


def _default(game: Game) -> codec.Json:
    return codec.dump(game.rules.Options())


async def check_new_player(at: TableContext, name: str, number: int = 0) -> None:
    """Raise `UserError` if the person has seen cards of a set at a table other than this one, or sits at one.

    Also if only another player may play at this table.
    """
    sets = at.tables.duplicates
    one = await sets.find(name) if name else None
    if one is None:
        return
    if _player(one, number) not in ("", at.tables.host.accounts.key(at.person.name)):
        raise UserError("these cards are for one player. Type /tables to find another table.")
    elsewhere = [bot for bot in _open(at) if bot.table.header.duplicate == name and bot.table.header.number != number]
    playing = any(bot.keeps_seat(at.person.name) for bot in elsewhere)
    if playing or await sets.saw_cards(one, at.tables.host.accounts.key(at.person.name), but=number):
        raise UserError(f"you have already seen the cards of {name}. Please choose another name.")


async def check_may_invite(at: TableContext, header: Header) -> None:
    """Raise `UserError` if the cards of a table are played alone: guests would see them before their own game."""
    found = await at.tables.duplicates.find(header.duplicate) if header.duplicate else None
    if found and _player(found, header.number):
        raise UserError("everyone plays these cards alone. To play together, type /new GAME and names.")


def _player(found: DuplicateSet, number: int) -> str:
    """Return the account key of the only one who may play at a table of a set; empty if others may."""
    return found.tables[number].added.key if number in found.tables else ""


def _open(at: TableContext) -> Sequence[TableBot]:
    return [*at.tables.open.values()]


async def planned(at: TableContext, plan: Plan, name: str, one: DuplicateSet | None) -> Plan:
    """Return the plan of a table of a set: its first one, which will seal it, or one that takes its key."""
    private = attrs.evolve(plan, frame=attrs.evolve(plan.frame, private=True, rated=False), duplicate=name)
    return private if one is None else await _keyed(at, private, one)


async def _keyed(at: TableContext, plan: Plan, one: DuplicateSet) -> Plan:
    """Return the plan of another table of a sealed set; raises `UserError` if its rules or bots have changed."""
    kind = plan.game.by_version(one.header.version)
    if kind is None or not one.can_be_played(plan.game):
        title = plan.game.title
        raise UserError(f"the rules or bots of {title} have changed since these cards were sealed.")
    chosen = codec.load(one.header.options, kind.rules.Options)
    key = await at.tables.duplicates.key(one)
    name, seats = one.header.name, len(one.seats)
    return attrs.evolve(plan, game=kind, options=chosen, wanted=seats, duplicate=name, key=key)


async def complete(at: TableContext, bot: TableBot) -> None:
    """Seat the bots that a table of a sealed set still lacks; it starts once everyone is there."""
    header = bot.table.header
    one = await at.tables.duplicates.find(header.duplicate) if header.keyed else None
    if one and not bot.table.started:
        seated = sum(who.house for who in bot.table.seats)
        await at.do(bot, seating.seat_bots, [seat for seat in one.seats if seat[1]][seated:])


@command("duplicate", group="table")
async def duplicate(at: TableContext, name: str, end: str = "") -> list[str]:
    """Compare the tables that had the same cards, seat by seat: /duplicate friday.

    /new ohell duplicate=friday opens the first table. You see the results once
    your own game is over. /duplicate friday end lets no more tables begin.
    """
    sets, key = at.tables.duplicates, at.tables.host.accounts.key(at.person.name)
    one = await sets.find(name.casefold())
    if one is None:
        raise UserError(
            f"there are no cards called “{shortened(name, 40)}”. Type /new GAME duplicate=NAME to deal some."
        )
    if end:
        return await _ended(at, one, end)
    found = await sets.sealed(one)
    tables = [*found.tables.values()]
    done = sum(table.finished is not None for table in tables)
    title = game_names.title(at.tables.games, found.header.game)
    rows = [f"{found.header.name}: {title}, {count(len(tables), 'table')}, {done} finished."]
    if found.opened:
        rows.append(f"Secret {found.secret}")
    elif not found.has_played(key):
        return [*rows, "You see the results once your own game is over."]
    for seat, placed in found.standings().items():
        rows += [f"Seat {seat + 1}:", *_places(at.tables.games.get(found.header.game), placed)]
    return rows


async def _ended(at: TableContext, found: DuplicateSet, end: str) -> list[str]:
    """End a set for its opener, so that it takes no more tables; raises `UserError`."""
    key = at.tables.host.accounts.key
    if end.casefold() != "end" or key(found.header.by) != key(at.person.name):
        raise UserError(f"only {found.header.by} can end this set, by typing /duplicate {found.header.name} end.")
    await at.tables.duplicates.add(found.header.name, Ended(found.header.by), by=at.person.name)
    await at.tables.duplicates.look()
    return [f"({found.header.name} takes no more tables; its secret is published when the last one is done)"]
