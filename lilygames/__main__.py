"""Entry point of the command line and of `python -m lilygames`. Prints a sentence if the program can't be loaded."""

from __future__ import annotations

import sys
import traceback


def main() -> None:
    """Run the command line and exit with its code."""
    try:
        from lilygames.server.shell.cli import main as run  # noqa: PLC0415 - the error is reported below
    except Exception as problem:  # noqa: BLE001 - half an upgrade may raise anything
        sys.exit(_sentence(problem))
    run()


def _sentence(problem: Exception) -> int:
    """Print why the program can't be loaded, and where. Return the exit code."""
    last = traceback.extract_tb(problem.__traceback__)[-1]
    file, line = last.filename, last.lineno
    if isinstance(problem, SyntaxError) and problem.filename:
        file, line = problem.filename, problem.lineno
    why = f"{type(problem).__name__}: {problem.msg if isinstance(problem, SyntaxError) else problem}"
    print(f"lilygames: can't load the program ({why}; {file}, line {line}): install it again", file=sys.stderr)  # noqa: T201
    return 2


if __name__ == "__main__":
    main()
