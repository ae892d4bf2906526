"""Run parts of the page that touch no document in Node."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

import lilygames.edge.web
from tests.deadline import DEADLINE

PAGE = Path(lilygames.edge.web.__file__).with_name("page")
NODE = shutil.which("node") or ""
needs_node = pytest.mark.skipif(not NODE, reason="Node isn't installed")
_SCRIPT = """
import {{ readFileSync }} from "node:fs";
const input = JSON.parse(readFileSync(0, "utf8"));
{}
process.stdout.write(JSON.stringify(output));
"""


def run(folder, script, value=None):
    """Return the `output` of a script beside the page's modules, with `value` as its `input`."""
    for file in PAGE.glob("*.js"):
        shutil.copy(file, folder)
    (folder / "package.json").write_text('{"type": "module"}')
    (folder / "script.js").write_text(_SCRIPT.format(script), "utf-8")
    done = subprocess.run(
        [NODE, folder / "script.js"],
        input=json.dumps(value),
        capture_output=True,
        text=True,
        check=False,
        timeout=DEADLINE,
    )
    assert "" == done.stderr
    return json.loads(done.stdout)
