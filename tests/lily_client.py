"""A client of lily that reads SLCP as tigerlily does, so that tests see what it would take for an event."""

import asyncio
import re
from contextlib import suppress

from tests.deadline import DEADLINE

OPTIONS = "#$# options +version +prompt +prompt2 +leaf-notify +leaf-cmd +connected"
PROMPTS = ("login: ", "password: ")
FIELD = re.compile(r"\s*(?:([^\s=]+)=(\d+)=|([^\s=]+)=(\S+)|(\S+))")


def fields(row):
    """Return the fields of a message: with a length, plain, or a flag."""
    found, place = {}, row.index(" ")
    while match := FIELD.match(row, place):
        place = match.end()
        if match[1]:
            found[match[1]] = row[place : place + int(match[2])]
            place += int(match[2])
        elif match[3]:
            found[match[3]] = match[4]
        else:
            found[match[5]] = True
    return found


class LilyClient:
    """A connection. `rows` are all rows, `events` the notices, `users` and `rooms` the tables, by handle."""

    def __init__(self, reader, writer):
        self.reader, self.writer = reader, writer
        self.rows, self.events, self.leaves, self.open = [], [], {}, {}
        self.users, self.rooms, self.options, self.place = {}, {}, [], ""
        self.prompts, self.plain = [], []
        self.whoami, self.connected, self._begun = "", False, b""

    async def close(self):
        """Hang up, if the server hasn't."""
        self.writer.close()
        with suppress(OSError):
            await self.writer.wait_closed()

    def send(self, *lines):
        """Send lines."""
        for line in lines:
            self.writer.write(line if isinstance(line, bytes) else f"{line}\r\n".encode())

    def _take(self, data):
        self._begun += data
        *rows, self._begun = self._begun.split(b"\n")
        for row in rows:
            assert row.endswith(b"\r"), row
            self._row(row[:-1])
        for prompt in PROMPTS:
            if not self.connected and self._begun.startswith(prompt.encode()):
                self._begun = self._begun[len(prompt) :]
                self.prompts.append(prompt)

    def _row(self, raw):
        if self.options:
            assert raw.decode("ascii").isprintable(), raw
        row = raw.decode("latin-1")
        self.rows.append(row)
        if not self.connected and row.startswith(PROMPTS):
            self.prompts.append(row)
            return
        row = row.removeprefix("%g")
        leaf = re.match(r"%command \[(\d+)\] (.*)", row)
        if leaf:
            row = leaf[2]
            self.open[int(leaf[1])].append(row)
        self._message(row, in_leaf=leaf is not None)

    def _message(self, row, *, in_leaf):
        word = re.match(r"%\S+ ?|", row)[0].strip()
        if read := READ.get(word):
            read(self, row)
        elif found := re.search(r"%options\s+(.*)", row):
            self.options.append(found[1].split())
        else:
            if found := re.match(r"Welcome to (?:lily|Rowboat).*?at (.*?)\s*$", row):
                self.place = found[1]
            if not in_leaf:
                self.plain.append(row)

    def _user(self, row):
        self.users[fields(row)["HANDLE"]] = fields(row)

    def _disc(self, row):
        self.rooms[fields(row)["HANDLE"]] = fields(row)

    def _data(self, row):
        if " NAME=whoami " in row:
            self.whoami = fields(row)["VALUE"]

    def _prompt(self, row):
        self.prompts.append(row.partition(" ")[2])

    def _begin(self, row):
        found = re.match(r"%begin \[(\d+)\] (.*)", row)
        self.open[int(found[1])] = self.leaves[found[2]] = []

    def _end(self, row):
        del self.open[int(re.match(r"%end \[(\d+)\]$", row)[1])]

    def _connect(self, _):
        self.connected = True

    def _pass(self, _):
        pass

    def _notice(self, row):
        event = fields(row)
        event["by"] = self.users.get(event["SOURCE"], {}).get("NAME", event["SOURCE"])
        known = {**self.users, **self.rooms}
        event["to"] = [known.get(one, {}).get("NAME", one) for one in event.get("RECIPS", "").split(",") if one]
        event["targets"] = [known.get(one, {}).get("NAME", one) for one in event.get("TARGETS", "").split(",") if one]
        self.events.append(event)
        changed = {"rename": "NAME", "blurb": "BLURB", "here": "STATE", "away": "STATE"}.get(event["EVENT"])
        if changed == "STATE":
            self.users[event["SOURCE"]]["STATE"] = event["EVENT"]
        elif changed:
            self.users[event["SOURCE"]][changed] = event.get("VALUE", "")
        for kind, key in (("drename", "NAME"), ("retitle", "TITLE")):
            if event["EVENT"] == kind:
                self.rooms[event["RECIPS"]][key] = event["VALUE"]
        if event["EVENT"] == "destroy":
            self.rooms.pop(event["RECIPS"], None)

    async def until(self, done):
        """Read until `done()` is true."""
        async with asyncio.timeout(DEADLINE):
            while not done():
                data = await self.reader.read(65536)
                assert data, self.rows[-20:]
                self._take(data)

    async def typed(self, *lines):
        """Send lines after the login, wait until the last leaf is closed, and return what that printed."""
        self.send(*lines)
        self.send("#$# ping echo done")
        count = self.rows.count("%pong done")
        await self.until(lambda: self.rows.count("%pong done") > count and not self.open)
        return self.leaves.get(lines[-1]) if lines else None

    async def log_in(self, name, *words):
        """Say what is spoken, and log in with a name; words answer further questions."""
        await self.until(lambda: "login: " in self.prompts)
        self.send(OPTIONS, name, *words)
        await self.until(lambda: self.connected)
        await self.typed()
        return self

    def named(self, name):
        """Return the entry of a person or room of this name."""
        return next((one for one in (*self.users.values(), *self.rooms.values()) if one["NAME"] == name), None)

    def heard(self, *kinds):
        """Return the events of these kinds that are shown, and forget all events."""
        events, self.events = self.events, []
        return [one for one in events if one["EVENT"] in kinds and (one.get("NOTIFY") or one["EVENT"] in TALK)]


TALK = ("private", "public", "emote")
READ = {
    "%USER": LilyClient._user,
    "%DISC": LilyClient._disc,
    "%DATA": LilyClient._data,
    "%NOTIFY": LilyClient._notice,
    "%prompt": LilyClient._prompt,
    "%prompt2": LilyClient._prompt,
    "%begin": LilyClient._begin,
    "%end": LilyClient._end,
    "%connected": LilyClient._connect,
    **dict.fromkeys(("%GROUP", "%SLCP-SYNC", "%server", "%pong", "%export_file", "%user_type"), LilyClient._pass),
}
"""The method for a row that begins with this word."""
