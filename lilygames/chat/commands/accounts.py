"""What people type about their own name and password."""

from __future__ import annotations

from lilygames.chat.accounts import Account
from lilygames.chat.context import Context
from lilygames.chat.login import ASKED, check_free, chosen_password, password_matches, reserve_name, secret
from lilygames.chat.names import RESERVED_NAME, claim_of, fold, skeleton
from lilygames.chat.observers import Renamed
from lilygames.chat.session_tokens import offer
from lilygames.chat.terminal import Terminal
from lilygames.commands import command
from lilygames.errors import UserError
from lilygames.text import Line, listing

MOST = 5
"""Names that somebody had before and that are kept for them."""


async def _new_password(context: Context) -> str:
    """Return the password that somebody chooses; raises `UserError` where they choose none."""
    if context.person.terminal is None:
        raise UserError("that needs a terminal; log in first.")
    word = await chosen_password(context.person.terminal, context.person.name, "New password", "change nothing")
    if not word:
        raise UserError("you chose no password, so nothing was changed.")
    return word


async def _prove(context: Context, account: Account, terminal: Terminal) -> None:
    """Return when somebody has typed their password; raises `UserError` if they don't, or not in `ASKED` tries."""
    for _ in range(ASKED):
        word = await secret(terminal, "Old password, or press Enter to change nothing: ")
        if not word:
            raise UserError("you typed no password, so nothing was changed.")
        if await password_matches(context.host, terminal, account, word):
            return
        context.person.show(Line("Refused: that is not your password."))
    raise UserError(f"your old password wasn't among {ASKED} tries, so nothing was changed.")


@command("register", group="you")
async def register(context: Context) -> str:
    """Keep the name you came with as a guest, under a password. A seat you have stays yours."""
    person, host = context.person, context.host
    if not person.guest:
        raise UserError("your name is kept already; /password changes its password.")
    _may_register(context)
    address = person.terminal.address if person.terminal else ""
    word = "" if host.signup_quota.closed(address) else await _new_password(context)
    _may_register(context)  # somebody may have registered a name that looks like it meanwhile
    if not (word and host.signup_quota.take(address)):
        raise UserError("your address has had many names kept today; play on as a guest, and /register tomorrow.")
    await host.accounts.create(person.name, word, guest=False)
    person.set_guest(guest=False)
    host.keep(person)
    await offer(host, person, alone=True)
    return f"(the name {person.name} is yours now; log in with it and your password)"


def _may_register(context: Context) -> None:
    """Raise `UserError` where a guest's name is none to keep."""
    person, accounts = context.person, context.host.accounts
    if person.name.casefold().startswith("guest") and not person.seats:
        raise UserError("choose a name of your own first: /rename NAME.")
    if context.host.awaited_sysop(person.name):
        raise UserError(f"{RESERVED_NAME.format(person.name)} /rename NAME does that.")
    if twin := accounts.look_alike(person.name, accounts.key(person.name)):
        raise UserError(f"{person.name} looks too much like {twin}; /rename NAME chooses another name.")


@command("password", group="you")
async def password(context: Context) -> str:
    """Change your password; you are asked for the old one and, unseen, for the new one."""
    account, terminal = await context.host.accounts.get(context.person.name), context.person.terminal
    if account is None or account.guest or terminal is None:
        raise UserError("you have no password yet; /register gives you one.")
    await _prove(context, account, terminal)
    await context.host.accounts.create(account.name, await _new_password(context), guest=False)
    await offer(context.host, context.person, alone=True)
    return "(your password is changed)"


@command("rename", group="you")
async def rename(context: Context, name: str) -> str:
    """Take another name; not while you sit at a table, where others know you by this one.

    What you own goes with you, and your old name stays yours: nobody else can have it.
    """
    person, host, old = context.person, context.host, context.person.name
    if person.seats or host.keeps_seat(old):
        raise UserError("you have a seat, and others know you there by your name; /leave it first, or play to the end.")
    if name == old:
        raise UserError(f"that is your name already; /rename NAME takes another one than {old}.")
    check_free(host, name, person)
    with reserve_name(host, name):
        if not (_is_own(context, name) or await host.cluster.claim(claim_of(name))):
            raise UserError(f"{name} is taken. Please choose another name.")
        await _take(context, name)
    return f"(you are {name} now)"


def _is_own(context: Context, name: str) -> bool:
    """Whether a name is the person's already: as it is, as it was before, or as good as the same."""
    key, own = context.host.accounts.key, context.person.name
    return skeleton(name) == skeleton(own) or key(name) == key(own)


async def _take(context: Context, name: str) -> None:
    """Let the person be called so from now on, and be found by it wherever they were by the old name."""
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
            raise UserError(f"you have had {MOST} other names, and that is the most; take one of them again: {again}.")
        await host.accounts.rename(account, name)
    host.tell_all(person.did("rename", text=name), but=person)
    host.people.pop(fold(old))
    rooms = [room for room in host.rooms.values() if room.people.pop(fold(old), None)]
    person.rename(name)
    host.people[fold(name)] = person
    for room in rooms:
        room.people[fold(name)] = person
    for other in host.people.values():
        other.set_profile(other.profile.with_names(host.accounts.now))
    await host.publish_and_wait(Renamed(old, name))
