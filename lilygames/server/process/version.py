"""The version, with the commit that it was made from.

A clone knows its commit from git's files. A wheel and an sdist have it in a file that the build writes
(`scripts/building/stamp.py`). Elsewhere the commit is unknown. This imports nothing of ours, because the build runs it.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

STAMP = "lilygames/_commit.txt"
"""The file with the commit, in a wheel or an sdist."""
DIGITS = 12
"""Digits of a commit that are shown."""
ROOT = Path(__file__).parents[3]


def commit_of(root: Path = ROOT) -> str:
    """Return the commit of a clone, a wheel or an sdist; empty if nothing says which."""
    with suppress(OSError):
        return _head(_git_folder(root))[:DIGITS]
    with suppress(OSError):
        return (root / STAMP).read_text("ascii").strip()
    return ""


def long_version(version: str, commit: str) -> str:
    """Return a version with its commit."""
    return f"{version} (commit {commit})" if commit else version


def _git_folder(root: Path) -> Path:
    """Return git's folder of a clone; that of a worktree is named in a file. See gitrepository-layout(5)."""
    found = root / ".git"
    return root / found.read_text("utf-8").removeprefix("gitdir:").strip() if found.is_file() else found


def _head(git: Path) -> str:
    """Return the commit that is checked out. Raises `OSError`."""
    head = (git / "HEAD").read_text("ascii").strip()
    if not head.startswith("ref:"):
        return head
    name = head.removeprefix("ref:").strip()
    shared = git / (git / "commondir").read_text("utf-8").strip() if (git / "commondir").is_file() else git
    for folder in (git, shared):
        if (folder / name).is_file():
            return (folder / name).read_text("ascii").strip()
    rows = (shared / "packed-refs").read_text("utf-8").splitlines()
    return next((row.split()[0] for row in rows if row.endswith(f" {name}")), "")
