"""Test that SQL values are bound by plain `?`, in order."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted((ROOT / "lilygames").rglob("*.py"))
SOURCES += [
    file for file in sorted((ROOT / "scripts").rglob("*")) if file.is_file() and b"python" in file.read_bytes()[:60]
]
NUMBERED = re.compile(r"\?\d")


def numbered(source):
    """Return the lines of texts (not bytes) that number a placeholder."""
    texts = [
        node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    return [node.lineno for node in texts if NUMBERED.search(node.value)]


def test_no_placeholder_has_a_number():
    """Python 3.12 warns about `?1` with a sequence of values, and a later version refuses it."""
    found = {str(file.relative_to(ROOT)): numbered(file.read_text("utf-8")) for file in SOURCES}

    assert {} == {file: lines for file, lines in found.items() if lines}


def test_numbered_placeholder_would_be_found():
    assert [1, 2] == numbered(f'db.execute("SELECT 1 WHERE log = {"?" + "1"}")\nf"{{x}} AND cmd = {"?" + "2"}"\n')
