"""Exports of formats 2 and 3, which people may have kept: all three verifiers read them, and find changes."""

import json
import tarfile
from functools import cache
from pathlib import Path

import pytest

from tests.edge.web.javascript import needs_node, run
from tests.tables.verify.tampering import tamperings
from tests.tables.verify.test_tampering import accepts, matches
from tests.toys import installed

HERE = Path(__file__).parent
PAGE = """
import { verify } from "./verify.js";
const output = [];
for (const lines of input) output.push((await verify(lines, [])).checks.filter(({ state }) => state === "differs"));
"""
GAMES = ("ohell", "wizard", "liarsdice", "liedie", "liarspoker", "liarslair", "lilypoker")
FILES = {2: ("exports-2.tar.xz", ""), 3: ("place-0.2-sqlite.tar.xz", "exports/")}
"""The archive with the exports of each format, and where they are in it."""


@cache
def kept(form):
    """Return the lines of all exports of a format, by game."""
    archive, folder = FILES[form]
    found = {}
    with tarfile.open(HERE / archive) as files:
        for file in files:
            if file.name.startswith(folder) and file.name.endswith(".jsonl"):
                lines = files.extractfile(file).read().decode().splitlines()
                found.setdefault(json.loads(lines[0])["header"]["game"], []).append(lines)
    return found


def test_exports_of_all_games_are_kept():
    assert [set(GAMES)] * 2 == [set(kept(form)) for form in FILES]
    assert [[2], [3]] == [
        sorted({json.loads(one[0])["lilygames"] for some in kept(form).values() for one in some}) for form in FILES
    ]


@pytest.mark.parametrize("form", FILES)
@pytest.mark.parametrize("name", GAMES)
def test_kept_export_matches_for_the_script_and_for_lilygames_verify(form, name):
    installed(name)

    assert {(True, True)} == {(accepts(lines), matches(lines)) for lines in kept(form)[name]}


@needs_node
@pytest.mark.parametrize("form", FILES)
def test_kept_exports_match_on_the_page(form, tmp_path):
    exports = [lines for some in kept(form).values() for lines in some]

    assert [[]] * len(exports) == run(tmp_path, PAGE, exports)


def changed(form, name):
    """Return the shortest open export of a game, changed: a row deleted, doubled or swapped with the next of its kind.

    In these formats the last row can be left out unseen, and the first hand of a closed game, as the verifiers say.
    """
    lines = min((one for one in kept(form)[name] if not json.loads(one[0])["header"]["sealed"]), key=len)
    rows = tuple(map(json.loads, lines))
    found = [one for one in tamperings(rows, leaves=1) if not one.what.startswith("altered")]
    return [one for one in found if not (one.what == "deleted" and one.row >= len(rows) - 1)]


@pytest.mark.parametrize("name", GAMES)
def test_changed_export_of_format_2_is_refused_by_the_script_and_by_lilygames_verify(name):
    installed(name)
    found = changed(2, name)

    assert [] == [one for one in found if accepts(one.lines)]
    assert [] == [one for one in found[::20] if matches(one.lines)]


@needs_node
@pytest.mark.parametrize("name", GAMES)
def test_changed_export_of_format_2_is_refused_on_the_page(name, tmp_path):
    found = changed(2, name)[::10]
    differences = run(tmp_path, PAGE, [one.lines for one in found])

    assert [] == [one for one, differs in zip(found, differences, strict=True) if not differs]
