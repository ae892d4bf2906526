"""`lilygames docs`."""

from __future__ import annotations

from pathlib import Path

import click

from lilygames.commands import Several, Unknown
from lilygames.games import games
from lilygames.help import folder, pages
from lilygames.server.process.exit_codes import Trouble
from lilygames.text import count, listing


@click.command()
@click.argument("topic", nargs=-1)
@click.option("--files", is_flag=True, help="Print where the pages and the files for sysops are.")
@click.option(
    "--html",
    "site",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write the manual as a site to this folder, for a web server of yours.",
)
@click.option("--man", is_flag=True, help="Print the manual page lilygames(1): lilygames docs --man | man -l -")
def docs(topic: tuple[str, ...], *, files: bool, man: bool, site: Path | None) -> None:
    """Print a page of the manual, as /help TOPIC shows it in the server.

    Without TOPIC, list the pages.
    """
    if files:
        click.echo(f"{folder()}\n{folder() / 'host'}")
        return
    if man:
        from lilygames.server.shell.manual import man_page  # noqa: PLC0415 - it imports every command, this one too

        click.echo(man_page(), nl=False)
        return
    found = games()
    all_pages = pages((place for game in found.values() for place in [game.pages] if place), found)
    if site:
        from lilygames.server.shell.manual_site import write  # noqa: PLC0415 - it imports the public pages

        click.echo(f"{site}: {count(write(site, all_pages, found), 'page')}")
        return
    if not topic:
        click.echo("\n".join(f"{name:<22} {_subject(all_pages.title(name))}" for name in all_pages.rows))
        return
    try:
        click.echo("\n".join(all_pages.rows[all_pages.find(" ".join(topic))]))
    except Several as problem:
        raise Trouble(f"several pages begin like that: {', '.join(problem.names)}") from None
    except Unknown as problem:
        near = f"did you mean {listing(problem.near, 'or')}?" if problem.near else "`lilygames docs` lists all pages"
        raise Trouble(f"there's no page “{' '.join(topic)}”; {near}") from None


def _subject(title: str) -> str:
    """Return the right half of a page's first row."""
    return title.rpartition("  ")[2].strip()
