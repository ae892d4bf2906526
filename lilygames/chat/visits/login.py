"""Login: with a name and password, as a new name, as a guest, or by resuming a session."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import islice

import attrs
import structlog

from lilygames import log_events
from lilygames.chat.accounts.known_accounts import Account
from lilygames.chat.accounts.one_time_words import OneTimeWord
from lilygames.chat.accounts.passwords import Weak, checked, pasted_return_word
from lilygames.chat.host.dispatch import CONTROL
from lilygames.chat.host.host import Host
from lilygames.chat.host.packets import place, say_goodbye, you
from lilygames.chat.host.present import present_before_login
from lilygames.chat.names.names import (
    RESERVED_NAME,
    NoName,
    claim_of,
    fold,
    has_shape,
    is_numbered,
    names_like,
    plain_letters,
    skeleton,
)
from lilygames.chat.people.gate import Banned
from lilygames.chat.people.observers import Appealed, Guessed, PasswordForgotten
from lilygames.chat.people.people import Person
from lilygames.chat.people.profile import Profile
from lilygames.chat.people.resume import Begun, Ended, Reused
from lilygames.chat.people.terminal import Gone, Terminal
from lilygames.chat.visits.arrivals import arrive
from lilygames.chat.visits.session_tokens import begin, hand_out, offer, tell_reuses, token_packet, warn
from lilygames.chat.visits.television import WATCH, TurnsOn, turned_on
from lilygames.commands import Several, Unknown
from lilygames.errors import NeedsRepair, UserError, refusal
from lilygames.help import Pages
from lilygames.limits.quota import FORGOTTEN, RECOVERY_WORDS, STRANGERS_BYTES
from lilygames.store import StoreUnavailable
from lilygames.text import Asks, Line, Problem, Prompt, Voice, clean, listing, shortened

log = structlog.get_logger()
_SEEN = re.compile(r"(\d{1,9}):(\d{1,9})", re.ASCII)
_PAGES = {"help": "login", "?": "login", "rules": "rules"}
"""Bare words that show a page at the login prompt, and the default page of each."""
_HELP = re.compile(r"/help\b", re.IGNORECASE).match
FORGOT = "forgot"
"""The word that someone types before their name if they forgot the password."""
_NAMED = 30
"""Maximum people listed by `who` at the login prompt."""
_PROGRAM = "MACHINE"
"""The line with which a program asks for nothing but JSON."""
_LOGIN_FIRST = Problem("not-logged-in")
_LEAVE = ("quit", "bye", "exit", "/quit", "/bye")
ASKED = 3
"""Password attempts before the login prompt comes back."""
LIKE_IT = 30
"""Names that are tried for a proposal."""
TRIES = 5
"""Wrong passwords and return words before the connection is closed."""


RULES = "The rules are in /help conduct, and /help privacy says what is kept about you."
"""Pages for someone who registers."""


class WrongWord(UserError):
    """Every attempt at the password or return word was wrong."""

    code = "wrong-password"


class NoWord(UserError):
    """No password or return word was typed, so the name was probably a mistake."""

    code = "no-password"


class Login:
    """The login of one connection, from the first prompt until someone is logged in."""

    def __init__(self, host: Host, terminal: Terminal) -> None:
        self._host = host
        self._terminal = terminal
        self._wrong = 0
        self._unproved: Account | None = None
        """The account whose password was expected but not typed: the next line may be that password."""

    async def person(self) -> Person:
        """Return the person who has logged in; raises `Gone`, and `TurnsOn` if it is a television."""
        listens, has_place, charged = False, self._terminal.supports("place"), 0
        while self._wrong < TRIES:
            charged = self._charged(charged)
            self._terminal.ask(Prompt("login: ", asks="login"))
            line = await self._line()
            word = fold(line.partition(" ")[0])
            if word in _LEAVE:
                break
            if word == WATCH and self._terminal.takes_picture:
                if await turned_on(self._host, self._terminal, line.partition(" ")[2]):
                    raise TurnsOn
                continue
            if line == _PROGRAM and has_place:
                self._terminal.show(
                    Line("Refused: you're in machine mode already. Log in first.", problem=_LOGIN_FIRST)
                )
                continue
            if line == _PROGRAM:
                has_place = True
                self._terminal.set_voice(Voice(each=True))
                self._terminal.packet(place(self._host))
                continue
            if word == "reader":
                listens = True
                self._terminal.set_voice(Voice(spoken=True))
                self._show(
                    "Screen reader mode is on: short lines, and cards and dice in words. Type help reader for more."
                )
            elif line and (person := await self._answered(line)):
                if listens:
                    self._host.change_setting(person, "reader", "on")
                return person
        raise Gone

    def _charged(self, before: int) -> int:
        """Count what was sent here since `before` bytes, and return the bytes sent; raises `Gone` if it is too much."""
        quotas, sent = self._host.quotas, self._terminal.sent
        who = attrs.evolve(quotas.at(self._terminal.address), person=f"login {id(self)}")
        used = sent - before
        if used and (refused := quotas.uses.take(STRANGERS_BYTES, who, self._host.now(), used)):
            log_events.limit(STRANGERS_BYTES.name, scope=refused.scope, address=self._terminal.address)
            self._terminal.show(Line(f"({refused.sentence()})"))
            raise Gone
        return sent

    async def _line(self) -> str:
        """Return the next typed line, skipping a client's control lines."""
        while (line := clean(await self._terminal.read()).strip()).startswith(CONTROL):
            pass
        return line

    async def _answered(self, line: str) -> Person | None:
        """Return the person a line logs in; show the error and return None if it logs in nobody."""
        try:
            return await self._comes(line)
        except UserError as problem:
            self._terminal.show(refusal(problem, ""))
        except StoreUnavailable as problem:
            log.warning("can't look up a name", why=str(problem))
            sentence = "Refused: the server can't look up names right now. Try again in a moment."
            self._terminal.show(Line(sentence, problem=Problem("not-saved")))
        return None

    async def _comes(self, line: str) -> Person | None:
        name, _, word = line.partition(" ")
        if (pasted := pasted_return_word(line))[1] and not has_shape(name):
            name, word = pasted
        if self._looked(name, word.strip()) or self._forgot(name, word.strip()):
            return None
        if fold(line) == "guest":
            return await self._some_guest()
        if fold(name) == "resume":
            return await self._resumed(word.split())
        if person := await self._password_instead(line, name):
            return person
        if fold(name) == "guest":
            return await self._some_guest()
        return await self._named(name, word.strip())

    def _looked(self, name: str, rest: str) -> bool:
        """Show what a bare word asks for (`who`, `help seal`); return False if the line is something else.

        Someone who registered such a name before it was reserved can still log in with it. Raises `UserError`.
        """
        word = fold(name.removeprefix("/"))
        if fold(name) in self._host.accounts.names or word not in (*_PAGES, "who"):
            return False
        if word == "who":
            self._show(_who(self._host))
        else:
            self._terminal.show(*_page(self._host.pages, rest or _PAGES[word]))
        return True

    def _forgot(self, name: str, who: str) -> bool:
        """Let a forgotten password be replaced (`forgot ann`); return False if the line is something else.

        The answer is the same whether or not the name exists or has a mail address. Raises `UserError`.
        """
        host, address = self._host, self._terminal.address
        if fold(name) != FORGOT or fold(name) in host.accounts.names:
            return False
        check_open(host, self._terminal)
        if not has_shape(who):
            raise UserError("type forgot and your name: forgot ann")
        if not host.sends_mail:
            raise UserError("this server doesn't send mail. Ask a sysop for a one-time word.")
        host.quotas.use(RECOVERY_WORDS, host.quotas.at(address, host.accounts.key(who)))
        host.quotas.use(FORGOTTEN, host.quotas.at(address))
        host.publish(PasswordForgotten(who))
        self._show(f"If {who} has a confirmed mail address, we mail a one-time word there.")
        self._show(f"Within an hour, type {who} and the word. Without an address, ask a sysop for a word.")
        return True

    def _show(self, text: str) -> None:
        self._terminal.show(Line(text))

    # existing names

    async def _password_instead(self, line: str, name: str) -> Person | None:
        """Return the person whose password was typed at the name prompt; None if it was something else.

        After a failed login, people may not notice that they are at the name prompt again. Taken as a new name, their
        password would be shown to everyone.
        """
        unproved = self._unproved
        if unproved is None or fold(name) == fold(unproved.name):
            return None
        check_open(self._host, self._terminal)
        self._unproved = None
        account = await self._host.accounts.get(unproved.name)
        kept = account is not None and await self._still_kept(account)
        line = (unproved.guest and pasted_return_word(line)[1]) or line
        if account and kept and await password_matches(self._host, self._terminal, account, line):
            return await self._entered(account.name, guest=account.guest)
        return None

    async def _named(self, name: str, word: str) -> Person:
        accounts = self._host.accounts
        account = await self._account(name, word)
        if account and await self._still_kept(account):
            self._unproved = account
            what = "return word" if account.guest else "password"
            typed = await self._prove(account.name, what, word, partial(self._opens, account))
            self._unproved = None
            if not account.guest and await self._is_one_time(account, typed):
                await self._choose_again(account)
            return await self._entered(account.name, guest=account.guest)
        if fold(accounts.now(name)) != fold(name):
            self._unproved = await accounts.get(accounts.now(name))
            raise UserError(f"{name} is now called {accounts.now(name)}. Log in with that name.")
        if not name or pasted_return_word(name)[1]:
            raise UserError("type your name, a space, and then your return word.")
        sysop = self._host.awaited_sysop(name)
        if fold(sysop) == fold(name):
            return await self._sysop(sysop, word)
        self._check_alone(name, word)
        check_free(self._host, name)
        return await self._newcomer(name)

    def _check_alone(self, name: str, word: str) -> None:
        """Raise `UserError` if something follows a name that nobody has: a password, or the rest of the name.

        It is shown again only if it may be a part of the name.
        """
        if pasted_return_word(word)[1]:
            raise UserError(f"{name} has no seat here any more, so the return word has expired. Type another name.")
        if word and all(map(str.isalpha, word.split())):
            raise _with_free_names(
                self._host, NoName("a name has no spaces", plain_letters("_".join((name, *word.split()))))
            )
        if word:
            raise UserError(f"{name} isn't registered. Check the name, or type it without a password if it's new.")

    async def _opens(self, account: Account, word: str) -> bool:
        """Whether a word is an account's password, or its one-time word."""
        word = (account.guest and pasted_return_word(word)[1]) or word
        fits = await self._host.accounts.fits(account, word, origin=self._terminal.address)
        return fits or (not account.guest and await self._is_one_time(account, word))

    async def _is_one_time(self, account: Account, typed: str) -> bool:
        """Whether a word is the valid one-time word of someone who forgot their password."""
        recovery = self._host.accounts.recovery
        _, pasted = pasted_return_word(typed)
        word = await recovery.find(account.key, self._host.clock()) if pasted else None
        return word is not None and await recovery.fits(word, pasted, self._terminal.address)

    async def _choose_again(self, account: Account) -> None:
        """Let someone with a one-time word choose a new password; raises `NoWord` if they don't.

        Sessions of the old password end, because they have its fingerprint.
        """
        accounts = self._host.accounts
        self._show("That was the one-time word, so choose a new password now.")
        word = await chosen_password(self._host.pages, self._terminal, account.name, "New password", "go back")
        if not word:
            raise NoWord("no password was chosen. Type your name and the one-time word to try again.")
        if await accounts.recovery.find(account.key, self._host.clock()) is None:
            raise WrongWord("the one-time word was used or has expired. Ask for another one.")
        await accounts.recovery.used(account.key)
        await accounts.create(account.name, word, guest=False, origin=self._terminal.address)
        log_events.password_replaced(account.name)

    async def _account(self, name: str, word: str) -> Account | None:
        """Return the account of a name, None if it has none; raises `NeedsRepair` if it is unreadable.

        On `NeedsRepair` the next line is read and dropped: it is often the password and must not become a new name.
        """
        try:
            return await self._host.accounts.get(name)
        except NeedsRepair:
            if not word:
                await secret(self._terminal, "password: ")
            raise

    async def _still_kept(self, account: Account) -> bool:
        """Whether an account is still valid. A guest's lasts while they are here or have a seat."""
        if not account.guest or self._host.keeps_seat(account.name) or fold(account.name) in self._host.people:
            return True
        await self._host.accounts.forget(account.name)
        return False

    async def _prove(self, name: str, what: str, word: str, fits: Callable[[str], Awaitable[bool]]) -> str:
        """Ask until a word passes `fits`, and return that word; raises `WrongWord` or `NoWord`."""
        check_open(self._host, self._terminal)
        for left in reversed(range(ASKED)):
            word = word or await secret(self._terminal, f"{what}: ")
            if not word:
                raise NoWord(f"no {what} was typed. Type your name to log in.")
            if await guessed(self._host, self._terminal, name, partial(fits, word)):
                return word
            self._wrong += 1
            if not left or self._wrong >= TRIES:
                break
            again = f"Refused: wrong {what} for {name}. Try again, or press Enter to go back."
            self._terminal.show(Line(again, problem=Problem(WrongWord.code)))
            word = ""
        raise WrongWord(f"wrong {what} for {name}. Type your name to try again.")

    async def _resumed(self, words: Sequence[str]) -> Person:
        """Resume a session by its token; further words give the last log entry seen of each table: `12:30`."""
        host = self._host
        try:
            begun = await host.sessions.resume(
                words[0] if words else "",
                self._terminal.address,
                host.clock(),
                confirms=self._terminal.takes_picture,
            )
        except Reused as reuse:
            await warn(host, reuse.owner)
            raise
        session, owner = begun.session, begun.owner
        account = await host.accounts.get(session.name)
        if session.guest != (account is None or account.guest) or (account and account.stamp != session.stamp):
            raise Ended("that session has ended. Log in with your name.")
        held = fold(session.name) in host.people or host.accounts.is_known(session.name)
        if (held or not session.guest) and host.accounts.key(session.name) != owner:
            raise Ended(f"{session.name} is someone else's name now. Log in with another name.")
        pairs = [_SEEN.fullmatch(word) for word in words[1:]]
        seen = {int(pair[1]): int(pair[2]) for pair in pairs if pair}
        if not session.guest or held:
            return await self._entered(session.name, guest=session.guest, seen=seen, begun=begun)
        check_free(host, session.name, given=is_numbered(session.name))
        with reserve_name(host, session.name):
            if not await host.cluster.claim(claim_of(session.name)):
                raise Ended(f"{session.name} is someone else's name now. Log in with another name.")
            host.accounts.known_by(session.name, owner)
            return await self._entered(session.name, guest=True, seen=seen, begun=begun)

    # new names

    async def _some_guest(self) -> Person:
        """Log in a guest with the first free guest name."""
        host = self._host
        for name in host.people.guests():
            if is_held(host, name) or host.accounts.look_alike(name):
                continue
            with reserve_name(host, name):
                if await host.cluster.claim(claim_of(name)):
                    return await self._new_guest(name)
        raise AssertionError("there is always another number")

    async def _newcomer(self, name: str) -> Person:
        self._host.gate.check_new_name(self._terminal.address)
        self._show(f"{name} is a new name.")
        quotas = self._host.quotas
        if quotas.is_used_up(quotas.registering, quotas.at(self._terminal.address)):
            log_events.limit("names_per_day", address=self._terminal.address)
            self._show("(too many names were registered from your address today, so you'll play as a guest)")
            word = ""
        else:
            self._show(RULES)
            word = await chosen_password(
                self._host.pages, self._terminal, name, "Choose a password to keep it", "play as a guest"
            )
        check_free(self._host, name)  # someone may have taken it, or a name that looks like it, in the meantime
        with reserve_name(self._host, name):
            if not await self._host.cluster.claim(claim_of(name)) or await self._host.accounts.get(name):
                raise UserError(f"{name} was taken while you were typing. Please choose another name.")
            if not word or quotas.take(quotas.registering, quotas.at(self._terminal.address)):
                return await self._new_guest(name)
            await self._host.accounts.create(name, word, guest=False, origin=self._terminal.address)
            log_events.registered(name, address=self._terminal.address)
            return await self._entered(name, guest=False)

    async def _sysop(self, name: str, word: str) -> Person:
        """Let a sysop register their reserved name with the one-time word from the shell."""
        host, address = self._host, self._terminal.address
        claim = await host.accounts.claims.find(fold(name), host.clock())
        if claim is None:
            raise UserError(RESERVED_NAME.format(name))
        if is_held(host, name):
            raise UserError(f"{name} is here already, as a guest. Try again later.")
        await self._prove(name, "claim word", word, partial(self._is_claim, claim))
        word = await chosen_password(self._host.pages, self._terminal, name, "Choose a password to keep it", "go back")
        if not word:
            raise NoWord("no password was chosen. Type your name and the claim word to try again.")
        if is_held(host, name):
            raise UserError(f"{name} is here already. Try again later.")
        with reserve_name(host, name):
            if not await host.cluster.claim(claim_of(name)) or await host.accounts.get(name):
                raise UserError(f"{name} is registered already. Log in with its password.")
            await host.accounts.create(name, word, guest=False, origin=address)
            log_events.registered(name, address=address)
            await host.accounts.claims.used(fold(name))
            return await self._entered(name, guest=False)

    async def _is_claim(self, claim: OneTimeWord, typed: str) -> bool:
        """Whether a word is the claim word from the shell."""
        typed = pasted_return_word(typed)[1] or typed
        return await self._host.accounts.claims.fits(claim, typed, self._terminal.address)

    # everyone

    async def _new_guest(self, name: str) -> Person:
        """Log in a guest with a free name; they inherit nothing from its former owner."""
        self._host.accounts.hold(name)
        return await self._entered(name, guest=True, fresh=True)

    async def _entered(
        self,
        name: str,
        *,
        guest: bool,
        fresh: bool = False,
        seen: Mapping[int, int] | None = None,
        begun: Begun | None = None,
    ) -> Person:
        """Complete a login: load the person's profile, attach the terminal, and show what they missed.

        A `fresh` name has nothing stored, so nothing is read.
        """
        await self._check_entry(name, guest=guest)
        with self._host.foreground.answering():
            return await self._admitted(name, guest=guest, fresh=fresh, seen=seen, begun=begun)

    async def _admitted(
        self, name: str, *, guest: bool, fresh: bool, seen: Mapping[int, int] | None, begun: Begun | None
    ) -> Person:
        host = self._host
        await host.meet(name)
        await host.tables.ready_for(name, seen or ())
        owned = Profile() if fresh else await host.owned(name)
        is_page = self._terminal.takes_picture
        if is_page:  # it can come back from now on, whatever happens while it is told the rest
            fresh_session = begun or await begin(host, name, self._terminal.address, guest=guest)
            self._terminal.packet(you(name, owned, guest=guest))
            self._terminal.packet(*([token_packet(fresh_session)] if fresh_session else []))
        person = arrive(host, self._terminal, name, guest=guest, profile=owned, seen=seen)
        how: log_events.Login = "resumed" if begun else "guest" if guest else "account"
        log_events.login(person.name, how, address=self._terminal.address)
        if case := host.profiles.case(host.accounts.key(name)):
            self._show(
                f"(Your settings and memos can't be read: case {case}. They are still saved, and the sysop knows.)"
            )
        if is_page:
            person.resume(fresh_session.session.id if fresh_session else "", unconfirmed=begun is not None)
        elif begun is None:
            await offer(host, person)
        else:
            hand_out(person, begun)
        if not fresh:
            await tell_reuses(host, person)
        await host.greet(person)
        return person

    async def _check_entry(self, name: str, *, guest: bool) -> None:
        """Raise `Banned` for someone who may not come in. If they may appeal, ask them for a line first."""
        try:
            self._host.gate.check_entry(name, self._terminal.address, guest=guest)
        except Banned as ban:
            if not ban.appeals:
                say_goodbye(self._terminal, "banned")
                raise
            self._show(f"Refused: {ban}")
            self._terminal.ask(Prompt("Type one line to appeal, or press Enter: "))
            if text := await self._line():
                await self._host.publish_and_wait(Appealed(name, text))
                self._show("(Your appeal was sent to the staff.)")
            say_goodbye(self._terminal, "banned")
            raise Gone from None


def _page(pages: Pages, words: str) -> Sequence[Line]:
    """Return the lines of a help page; raises `UserError`."""
    try:
        return pages.lines(pages.find(words))
    except (Several, Unknown):
        raise UserError(
            f"there's no help page “{shortened(words, 30)}”. Type help to see what you can type here."
        ) from None


def _who(host: Host) -> str:
    """Return who is here, for someone who hasn't logged in."""
    here = present_before_login(host.people, _NAMED)
    more = [f"{here.people - _NAMED} more"] if here.people > _NAMED else []
    return f"Here now: {listing([*here.names, *more])}." if here.names else "Nobody is here yet."


async def secret(terminal: Terminal, question: str, asks: Asks = "password") -> str:
    """Ask for a secret, which isn't echoed, and return it."""
    terminal.ask(Prompt(question, secret=True, asks=asks))
    return (await terminal.read()).strip()


async def chosen_password(pages: Pages, terminal: Terminal, name: str, question: str, otherwise: str) -> str:
    """Ask for a new password twice and return it; empty if they press Enter to do `otherwise`.

    After a refusal it asks again, so that the next line is never taken for talk. `/help conduct` shows that page: it
    has just been named, and must not become a password.
    """
    or_enter = f", or press Enter to {otherwise}: "
    word = await secret(terminal, f"{question}{or_enter}", "new-password")
    while word:
        if _HELP(word):
            _show_page(pages, terminal, word.partition(" ")[2])
            word = await secret(terminal, f"{question}{or_enter}", "new-password")
            continue
        try:
            checked(word, name)
        except Weak as weak:
            terminal.show(refusal(weak, name))
            word = await secret(terminal, f"Choose another password{or_enter}", "new-password")
            continue
        if await secret(terminal, "Type it once more: ", "same-password") == word:
            break
        word = await secret(terminal, f"Those were different. Choose a password{or_enter}", "new-password")
    return word


def _show_page(pages: Pages, terminal: Terminal, words: str) -> None:
    try:
        terminal.show(*_page(pages, words or _PAGES["help"]))
    except UserError as problem:
        terminal.show(refusal(problem, ""))


def is_held(host: Host, name: str) -> bool:
    """Whether a name is in use: by someone here, by a registration in progress, or by a seat."""
    return fold(name) in host.people or fold(name) in host.newcomers or host.keeps_seat(name)


@contextmanager
def reserve_name(host: Host, name: str) -> Iterator[None]:
    """Reserve a name on this node while other nodes and the store are asked about it."""
    host.newcomers.add(fold(name))
    try:
        yield
    finally:
        host.newcomers.discard(fold(name))


def check_free(host: Host, name: str, but: Person | None = None, *, given: bool = False) -> None:
    """Raise `UserError` if a name is reserved, or equals or looks like one of someone other than `but`.

    A name that a guest was `given` is reserved only for people who would choose it.
    """
    try:
        _check_free(host, name, but, given=given)
    except NoName as problem:
        raise _with_free_names(host, problem) from None


def _with_free_names(host: Host, problem: NoName) -> UserError:
    """Return the refusal of a name, with names like it that are free."""
    tried = islice(names_like(problem.near), LIKE_IT) if problem.near else ()
    free = [*islice((name for name in tried if _is_free(host, name)), 2)]
    return UserError(f"{problem.why}. Type another name, such as {listing(free, 'or')}.") if free else problem


def _is_free(host: Host, name: str) -> bool:
    try:
        _check_free(host, name)
    except UserError:
        return False
    return True


def _check_free(host: Host, name: str, but: Person | None = None, *, given: bool = False) -> None:
    own = host.accounts.key(but.name) if but else ""
    if not given and not (
        but and has_shape(name) and own == host.accounts.key(name)
    ):  # your own former names are free to you
        host.check_allowed(name)
    if host.rooms.called(name) or any(not room.charter.private for room in host.rooms.twins(name)):
        raise UserError(RESERVED_NAME.format(name))
    if is_held(host, name) and (but is None or host.people.get(fold(name)) is not but):
        raise UserError(f"{name} is here already. Please choose another name.")
    here = [other.name for other in host.people.twins(name) if other is not but]
    new = [other for other in host.newcomers if skeleton(other) == skeleton(name)]
    if twin := host.accounts.look_alike(name, own) or next(iter((*here, *new)), ""):
        raise UserError(f"{name} looks too much like {twin}. Please choose another name.")


def check_open(host: Host, terminal: Terminal) -> None:
    """Raise `UserError` if the terminal's address is blocked after too many wrong passwords."""
    if refused := host.login_attempts.refusal(terminal.address):
        host.quotas.uses.refuse(refused)
        raise UserError(refused.sentence())


async def password_matches(host: Host, terminal: Terminal, account: Account, word: str) -> bool:
    """Return whether a password opens an account; raises `UserError` after too many wrong ones."""
    fits = partial(host.accounts.fits, account, word, origin=terminal.address)
    return await guessed(host, terminal, account.name, fits)


async def guessed(host: Host, terminal: Terminal, name: str, fits: Callable[[], Awaitable[bool]]) -> bool:
    """Check a word for a name, delayed after recent wrong ones; raises `UserError` after too many."""
    attempts = host.login_attempts
    await attempts.turn(terminal.address)
    check_open(host, terminal)
    delay = attempts.delay(fold(name))
    with attempts.attempt(terminal.address, fold(name)):
        await asyncio.sleep(delay)
        if await fits():
            attempts.right(terminal.address, fold(name))
            host.publish(Guessed(terminal.address, name, right=True))
            return True
    host.publish(Guessed(terminal.address, name, right=False))
    log_events.wrong_password(name, address=terminal.address)
    if refused := attempts.refusal(terminal.address):
        log_events.limit(refused.quota.name, address=terminal.address, name=name, scope=refused.scope)
    return False
