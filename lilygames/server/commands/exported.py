"""`lilygames replay` and `lilygames verify`, for exported logs."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

import click
from rich.console import Console
from rich.progress import track

from lilygames.proofs.receipt import Receipt, read_receipt
from lilygames.server.process.exit_codes import ExitCode, Trouble
from lilygames.server.shell import exports
from lilygames.server.shell.shared_options import FILE

T = TypeVar("T")


@click.command()
@click.argument("file", type=FILE)
@click.option("--by", default="", help="The player whose view to show; by default what everyone saw.")
def replay(file: Path, by: str) -> None:
    """Print the exported log of a finished game as it was shown."""
    for line in _of_log(file, partial(exports.replay, by=by)):
        click.echo(line)


@click.command()
@click.argument("file", type=FILE)
@click.option("--receipts", type=FILE, help="The folder of your client's receipts, to check against the log.")
@click.option(
    "--bots/--no-bots",
    default=True,
    show_default=True,
    help="Compute the moves of bots again, too. For strong bots this can take minutes.",
)
def verify(file: Path, receipts: Path | None, *, bots: bool) -> int:
    """Verify the exported log of a finished game: its seal, every entry against a replay, and the moves of its bots."""
    verdicts = [_of_log(file, exports.verify)]
    if receipts is not None:
        kept = _receipts(receipts)
        verdicts += _of_log(file, partial(exports.verify_receipts, receipts=kept))
    for verdict in verdicts:
        click.echo(verdict.sentence)
    if bots and verdicts[0].match:
        shown = partial(track, description="bots", console=Console(stderr=True), transient=True)
        verdicts.append(_of_log(file, partial(exports.verify_bots, shown=shown)))
        click.echo(verdicts[-1].sentence, nl=bool(verdicts[-1].sentence))
    return ExitCode.DONE if all(verdict.match for verdict in verdicts) else ExitCode.MISMATCH


def _receipts(folder: Path) -> list[Receipt]:
    """Return the receipts in a folder and in those below it. Raises `Trouble` if there are none, or for a bad file."""
    kept = []
    for file in sorted(folder.rglob("*.json")):
        try:
            kept.append(read_receipt(file.read_text("utf-8")))
        except OSError as problem:
            raise Trouble(f"can't read {file}: {problem.strerror}") from problem
        except ValueError as problem:
            raise Trouble(f"{file} isn't a receipt: {problem}") from problem
    if not kept:
        raise Trouble(f"{folder} has no receipts: give the folder where lilygames connect keeps them")
    return kept


def _of_log(file: Path, read: Callable[[str], T]) -> T:
    """Return the result of `read` on an exported log. Raises `Trouble` if the file isn't one."""
    try:
        return read(file.read_text("utf-8"))
    except OSError as problem:
        raise Trouble(f"can't read {file}: {problem.strerror}") from problem
    except UnicodeDecodeError as problem:
        raise Trouble(f"{file} isn't an exported log: it isn't text in UTF-8") from problem
    except ValueError as problem:
        raise Trouble(f"{file}: {problem}") from problem
