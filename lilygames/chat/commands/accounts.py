"""Commands about your own name and password: /register, /password and /rename."""

from __future__ import annotations

from lilygames import log_events
from lilygames.chat.accounts.known_accounts import Account
from lilygames.chat.host.context import Context
from lilygames.chat.names.names import RESERVED_NAME, claim_of, fold, skeleton
from lilygames.chat.people.observers import Renamed
from lilygames.chat.people.terminal import Terminal
from lilygames.chat.visits.login import (
    ASKED,
    RULES,
    WrongWord,
    check_free,
    chosen_password,
    password_matches,
    reserve_name,
    secret,
)
from lilygames.chat.visits.session_tokens import offer
from lilygames.commands import command
from lilygames.errors import UserError
from lilygames.text import Line, Problem, listing

MOST = 5
"""Maximum former names that stay reserved for a person."""


async def _new_password(context: Context) -> str:
    """Ask for a new password and return it; raises `UserError` if they cancel."""
    if context.person.terminal is None:
        raise UserError("this command asks for a password, so log in first.")
    word = await chosen_password(
        context.host.pages, context.person.terminal, context.person.name, "New password", "cancel"
    )
    if not word:
        raise UserError("no password was typed, so nothing has changed.")
    return word


async def _prove(context: Context, account: Account, terminal: Terminal) -> None:
    """Ask for the person's password; raises `UserError` if they cancel, or are wrong `ASKED` times."""
    for _ in range(ASKED):
        word = await secret(terminal, "Old password, or press Enter to cancel: ")
        if not word:
            raise UserError("no password was typed, so nothing has changed.")
        if await password_matches(context.host, terminal, account, word):
            return
        wrong = Problem(WrongWord.code)
        context.person.show(Line("Refused: that isn't your password. Try again.", problem=wrong))
    raise UserError(f"that was wrong {ASKED} times, so nothing has changed. Type /password to start again.")


@command("register", group="you")
async def register(context: Context) -> str:
    """Register your guest name with a password, so that nobody else can use it. You keep your seats."""
    person, host = context.person, context.host
    if not person.guest:
        raise UserError("you're already registered. Type /password to change your password.")
    _may_register(context)
    address = person.terminal.address if person.terminal else ""
    person.show(Line(RULES))
    quotas = host.quotas
    quotas.check(quotas.registering, quotas.at(address))
    word = await _new_password(context)
    _may_register(context)  # someone may have registered a similar name in the meantime
    quotas.use(quotas.registering, quotas.at(address))
    await host.accounts.create(person.name, word, guest=False)
    log_events.registered(person.name, address=address)
    person.set_guest(guest=False)
    host.keep(person)
    await context.games.registered(person)
    await offer(host, person, alone=True)
    return f"(you've registered {person.name}; next time, log in with your name and password)"


def _may_register(context: Context) -> None:
    """Raise `UserError` if a guest's name can't be registered."""
    person, accounts = context.person, context.host.accounts
    if person.name.casefold().startswith("guest") and not person.seats:
        raise UserError("you have a guest name. Type /rename NAME to choose your own first.")
    if context.host.awaited_sysop(person.name):
        raise UserError(f"{RESERVED_NAME.format(person.name)} Type /rename NAME.")
    if twin := accounts.look_alike(person.name, accounts.key(person.name)):
        raise UserError(f"{person.name} looks too much like {twin}. Type /rename NAME to choose another name.")


@command("password", group="you", private=True)
async def password(context: Context) -> str:
    """Change your password. You type the old one first, then the new one twice; none is shown."""
    account, terminal = await context.host.accounts.get(context.person.name), context.person.terminal
    if account is None or account.guest or terminal is None:
        raise UserError("you don't have a password yet. Type /register to choose one.")
    await _prove(context, account, terminal)
    await context.host.accounts.create(account.name, await _new_password(context), guest=False)
    log_events.password_changed(account.name)
    await offer(context.host, context.person, alone=True)
    return "(your password has been changed)"


@command("rename", group="you", says="anything")
async def rename(context: Context, name: str) -> str:
    """Change your name: /rename NAME. You can't do this while you have a seat.

    You keep everything you own. Your old name stays reserved for you.
    """
    person, host, old = context.person, context.host, context.person.name
    if person.seats or host.keeps_seat(old):
        raise UserError("you can't change your name while you have a seat. Finish the game, or type /leave first.")
    if name == old:
        raise UserError(f"you're already called {old}. Type /rename and another name.")
    check_free(host, name, person)
    with reserve_name(host, name):
        if not (_is_own(context, name) or await host.cluster.claim(claim_of(name))):
            raise UserError(f"{name} is taken. Please choose another name.")
        await _take(context, name)
    return f"(you are now called {name})"


def _is_own(context: Context, name: str) -> bool:
    """Whether a name is already theirs: their current name, a former one, or one that looks the same."""
    key, own = context.host.accounts.key, context.person.name
    return skeleton(name) == skeleton(own) or key(name) == key(own)


async def _take(context: Context, name: str) -> None:
    """Rename the person in the host, their rooms and everyone's stored names, and tell the others."""
    person, host, old = context.person, context.host, context.person.name
    account = await host.accounts.get(old)
    if account is None or account.guest:
        host.accounts.pass_on(old, name)
        if claim_of(old) != claim_of(name):
            host.cluster.release(claim_of(old))
    else:
        former = host.accounts.former(account.key)
        if len(former) >= MOST and fold(name) not in (fold(old), *former):
            again = listing(former, "or")
            raise UserError(f"you've already had {MOST} other names. To change again, pick one of them: {again}.")
        await host.accounts.rename(account, name)
    host.tell_about(person, person.did("rename", text=name), person.rooms)
    host.people.pop(fold(old))
    rooms = [room for room in host.rooms.values() if room.people.pop(fold(old), None)]
    person.rename(name)
    host.people[fold(name)] = person
    for room in rooms:
        room.people[fold(name)] = person
    for other in host.people.nearby():
        other.set_profile(other.profile.with_names(host.accounts.now))
    log_events.renamed(old, name)
    await host.publish_and_wait(Renamed(old, name))
