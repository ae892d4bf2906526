"""/mail, /push and /browser: choose where notifications go, confirm it, and turn them on and off."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import attrs

from lilygames.chat.host.host import Host
from lilygames.chat.people.people import Person
from lilygames.commands import command
from lilygames.errors import UserError
from lilygames.mailing.letters import plain
from lilygames.mailing.mailing import Mailing
from lilygames.mailing.options import TOPIC, is_address
from lilygames.mailing.push_address import NotPublic, host_of
from lilygames.mailing.subscription import Browser, Channel, Destination, Subscription
from lilygames.text import count, listing

NAME = 40
"""Characters of a browser's name."""


@attrs.frozen
class MailingContext:
    """The context of a command about mail and push: commands get it whose first parameter is annotated with it."""

    person: Person
    """The person who typed the command."""
    host: Host
    mailing: Mailing


@command("mail", group="you", syntax="[ADDRESS | code CODE | on | off | forget]")
async def mail(context: MailingContext, word: str = "", more: str = "") -> Sequence[str]:
    """Get a mail when you're away and a slow game waits for you: /mail ann@example.org.

    You get a code there; type /mail code CODE within 15 minutes. Then
    /mail on and /mail off switch it, /mail shows it, and /mail forget deletes
    the address. See /help mail.
    """
    if not context.mailing.options.has_mail:
        raise UserError("this server doesn't send mail.")
    if word.casefold() == "stop":
        await context.mailing.stop(more)
        return ["(That address gets no more mail.)"]
    if word.casefold() == "bounce" and context.host.is_sysop(context.person):
        number = await context.mailing.bounce(more)
        return [f"(Mail to that address is off for {count(number, 'account')}.)"]
    if "@" in word and not more:
        return await _asked(context, "mail", _address(word))
    return await _switched(context, "mail", word, more, "/mail ann@example.org")


@command("push", group="you", syntax="[SERVER TOPIC | code CODE | on | off | forget]")
async def push(context: MailingContext, word: str = "", more: str = "") -> Sequence[str]:
    """Get a push message when you're away and a slow game waits for you: /push ntfy.example my-topic.

    /push lists the servers. You get a code there; type /push code CODE within
    15 minutes. Then /push on and /push off switch it, and /push forget deletes
    it. Choose a topic that nobody can guess. See /help mail.
    """
    servers = {server.partition("://")[2]: server for server in context.mailing.options.push_servers}
    if not servers:
        raise UserError("this server doesn't send push messages.")
    if more and word.casefold() != "code":
        server = servers.get(word.casefold().partition("://")[2] or word.casefold())
        if server is None:
            raise UserError(f"push messages can go to {listing(servers, 'or')}: type /push SERVER TOPIC.")
        if not TOPIC.fullmatch(more):
            raise UserError("a topic has 1 to 64 letters, digits, - or _. Please choose another.")
        return await _asked(context, "push", f"{server} {more}")
    return await _switched(context, "push", word, more, f"/push {next(iter(servers))} TOPIC")


@command("browser", group="you", syntax="[on | off | forget N]")
async def browser(context: MailingContext, word: str = "", *more: str) -> Sequence[str]:
    """Get a push message in your browser when you're away and a slow game waits for you.

    To begin, open Settings on the page. /browser lists your browsers,
    /browser on and /browser off switch the messages, and /browser forget 2
    ends them for the second one. See /help browser.
    """
    mailing, key = context.mailing, context.host.accounts.key(context.person.name)
    if mailing.browsers is None:
        raise UserError("this server doesn't send messages to browsers.")
    await mailing.of(context.person)
    match word.casefold(), more:
        case "", ():
            pass
        case "on" | "off", () if not await _has_browsers(context):
            raise UserError("no browser gets messages yet. To begin, open Settings on the page.")
        case "on" | "off", ():
            await mailing.switch(context.person, "browser", on=word.casefold() == "on")
        case "add", (endpoint, public, secret, *name):
            added = await _browser(context, endpoint, public, secret, " ".join(name))
            await mailing.browsers.add(key, context.person.name, added)
        case "check", (endpoint,):
            await _which(context, endpoint)
        case "forget", (which,):
            await mailing.browsers.remove(key, [await _which(context, which)])
        case _:
            raise UserError("type /browser, /browser on, /browser off or /browser forget N. See /help browser.")
    return _listed(await mailing.of(context.person))


async def _has_browsers(context: MailingContext) -> bool:
    found = await context.mailing.of(context.person)
    return found is not None and bool(found.browsers)


async def _browser(context: MailingContext, endpoint: str, key: str, secret: str, name: str) -> Browser:
    """Return the browser that a page describes. Raises `UserError` if we can't send there."""
    from lilygames.mailing.browser_push import check_keys  # noqa: PLC0415 - its libraries are an extra

    try:
        host_of(endpoint)
        await asyncio.to_thread(check_keys, key, secret)
    except NotPublic as why:
        raise UserError(f"this browser's push service can't be used: {why}.") from None
    except ValueError:
        raise UserError("your browser's keys aren't valid. Reload the page and try again.") from None
    return Browser(endpoint, key, secret, plain(name)[:NAME] or "a browser", context.host.now())


async def _which(context: MailingContext, which: str) -> str:
    """Return the address of the browser with a number in the list, or of the one that a page names by its address."""
    found = await context.mailing.of(context.person)
    browsers = found.browsers if found else ()
    if which.isascii() and which.isdigit() and 1 <= int(which) <= len(browsers):
        return browsers[int(which) - 1].endpoint
    if any(one.endpoint == which for one in browsers):
        return which
    raise UserError("you have no browser with that number. Type /browser to see them.")


def _listed(found: Subscription | None) -> Sequence[str]:
    """Return the rows that show a person's browsers."""
    if found is None or found.browser is None:
        return ["(No browser gets messages. To begin, open Settings on the page.)"]
    on = "on. Type /browser off to turn them off" if found.browser.on else "off. Type /browser on to turn them on"
    rows = [f"  {number}. {one.name}" for number, one in enumerate(found.browsers, 1)]
    return [f"(Messages to your browsers are {on}.)", *rows]


def _address(word: str) -> str:
    """Return a mail address as typed; raises `UserError` if it isn't one."""
    if not is_address(word):
        raise UserError("that isn't a mail address we can use. It must be like ann@example.org, in plain letters.")
    return word


async def _asked(context: MailingContext, channel: Channel, to: str) -> Sequence[str]:
    """Send a code, or turn a destination on again that is confirmed already."""
    found = await context.mailing.of(context.person)
    before = found.destination(channel) if found else None
    if before and before.confirmed and before.to == to:
        return await _switched(context, channel, "on", "", "")
    await context.mailing.ask(context.person, channel, to)
    late = context.mailing.may_take_long(channel, to)
    return [
        f"(A code for {_shown(to)} waits: the server that sends it can't be reached right now.)"
        if late
        else f"(We're sending a code to {_shown(to)}.)",
        f"(Type /{channel} code CODE within 15 minutes. If no code comes, try again later.)",
        "(Nothing else is sent there before that.)",
    ]


async def _switched(context: MailingContext, channel: Channel, word: str, more: str, example: str) -> Sequence[str]:
    """Do what both commands share: show, confirm, turn on or off, and forget."""
    match word.casefold():
        case "":
            found = await context.mailing.of(context.person)
            return _state(channel, found.destination(channel) if found else None, example)
        case "code" if more:
            await context.mailing.confirm(context.person, channel, more)
        case "on" | "off" if not more:
            await context.mailing.switch(context.person, channel, on=word.casefold() == "on")
        case "forget" if not more:
            await context.mailing.forget(context.person, channel)
            return [f"(Your {'mail address' if channel == 'mail' else 'push topic'} is deleted.)"]
        case _:
            raise UserError(f"type {example}, or /help {channel} to read more.")
    found = await context.mailing.of(context.person)
    return _state(channel, found.destination(channel) if found else None, example)


def _state(channel: Channel, to: Destination | None, example: str) -> Sequence[str]:
    """Return the rows that show a channel."""
    if to is None:
        return [f"({channel} is off. To get it when a slow game waits for you, type {example}.)"]
    if to.why == "bounced":
        return [f"({channel} is off, because {_shown(to.to)} was refused. Type {example} to start again.)"]
    if not to.confirmed:
        return [f"({_shown(to.to)} isn't confirmed yet. Type /{channel} code CODE, with the code that we sent there.)"]
    if not to.on:
        return [f"({channel} to {_shown(to.to)} is off. Type /{channel} on to turn it on.)"]
    return [f"({channel} to {_shown(to.to)} is on. Type /{channel} off to turn it off.)"]


def _shown(to: str) -> str:
    return to.partition("://")[2] or to
