"""/mail and /push: choose where notifications go, confirm it, and turn them on and off."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from lilygames.chat.host import Host
from lilygames.chat.people import Person
from lilygames.commands import command
from lilygames.errors import UserError
from lilygames.mailing.mailing import Mailing
from lilygames.mailing.options import TOPIC, is_address
from lilygames.mailing.subscription import Channel, Destination
from lilygames.text import count, listing


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
        f"(A code is on its way to {_shown(to)}. Type /{channel} code CODE within 15 minutes.)",
        *(
            ["(The server that sends it can't be reached right now. If no code comes, try again later.)"]
            if late
            else []
        ),
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
