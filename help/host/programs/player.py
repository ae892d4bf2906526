#!/usr/bin/env python3
"""Play a game at random with protocol 1 (/help machine): player.py PORT GAME. Exits with 0 at its end."""

import json
import random
import socket
import sys

port, game = sys.argv[1:]
with socket.create_connection(("127.0.0.1", int(port))) as line, line.makefile("rw", errors="replace") as wire:
    ids, number = 0, 0

    def ask(text: str) -> None:
        """Send a request."""
        global ids  # noqa: PLW0603 - it is an example of one page
        ids += 1
        print(json.dumps({"id": ids, "line": text}), file=wire, flush=True)

    def play(moves: list[str]) -> None:
        """Make one of these moves."""
        if moves:
            ask(f"/at {number} {random.choice(moves)}")  # noqa: S311 - no secret is made of it

    print("MACHINE", file=wire, flush=True)
    for text in ("guest", "/set machine brief", f"/quick {game}"):
        ask(text)
    for row in wire:
        said = json.loads(row) if row.startswith("{") else {}  # a greeting comes before it
        if "hello" in said and said["hello"]["protocol"] != 1:
            sys.exit("this server speaks another protocol")
        if said.get("error") and "done" in said:
            sys.stdout.write(f"{said['done']} {said['error']['code']} {said['error']['text']}\n")
        if "table" in said:
            number = said["table"]["number"]
            if said["table"]["state"] == "over":
                sys.stdout.write("over\n")
                break
        play(said.get("moves", {}).get("moves", []))
        play((said.get("update", {}).get("moves") or {}).get("moves", []))
