"""Test that texts name only scripts that exist, in `scripts/` and in `lab/`."""

import ast
import re

import pytest

NAMED = re.compile(r"(?<![\w/.-])((?:scripts|lab)/[\w-][\w./-]*)")
PLACEHOLDER = re.compile(r"(?:scripts|lab)/[A-Z]+")
PAGES = ("*.md", ".ci/run", "pyproject.toml", "lab/*.md", "help/**/*.md", "help/**/*.toml", "help/**/*.txt")
PAST = {"CHANGELOG.md"}
"""They name scripts as they were called at the time."""


def pages(root):
    return {path: path.read_text("utf-8") for pattern in PAGES for path in root.glob(pattern) if path.name not in PAST}


def sources(root):
    """Return the text of each module of the server and the rules, whose strings and comments name scripts, too."""
    return {path: path.read_text("utf-8") for top in ("lilygames", "rules") for path in root.glob(f"{top}/**/*.py")}


def docstrings(root):
    """Return the docstrings of each test and script, whose other strings may name files of a folder that they make."""
    modules = [path for top in ("lab", "scripts", "tests") for path in root.glob(f"{top}/**/*.py")]
    tools = [path for top in ("lab", "scripts") for path in root.glob(f"{top}/*") if path.is_file()]
    scripts = [path for path in tools if path.read_text("utf-8").startswith("#!/usr/bin/env python3\n")]
    return {path: "\n".join(texts(path)) for path in [*modules, *scripts]}


def texts(path):
    """Yield each string that stands as a statement: a docstring of a module, function, class or constant."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        match node:
            case ast.Expr(value=ast.Constant(value=str(text))):
                yield text


@pytest.mark.parametrize("read", [pages, sources, docstrings])
def test_texts_name_only_scripts_that_exist(root, read):
    named = {
        (path.relative_to(root).as_posix(), name.rstrip("."))
        for path, text in read(root).items()
        for name in NAMED.findall(text)
        if not PLACEHOLDER.fullmatch(name)
    }

    assert len(named) > 10
    assert [] == sorted((path, name) for path, name in named if not (root / name).exists())


def test_lab_page_names_each_script(root):
    told = (root / "lab/README.md").read_text("utf-8")
    scripts = {f"lab/{path.name}" for path in (root / "lab").iterdir() if path.is_file() and path.suffix != ".md"}

    assert scripts
    assert scripts <= set(re.findall(r"`(lab/[\w-]+)", told))


def test_shipped_code_imports_nothing_from_lab_or_scripts(root):
    imports = re.compile(r"^\s*(?:from|import) (?:lab|scripts)\b", re.MULTILINE)

    assert [] == [path for path, text in sources(root).items() if imports.search(text)]
