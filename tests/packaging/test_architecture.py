"""Test that ARCHITECTURE.md names existing files, and describes the path that a bid takes."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_architecture_names_only_files_and_folders_that_exist():
    text = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    named = set(re.findall(r"`((?:[a-z_]+/)+[\w.-]*)`", text))

    assert len(named) > 50
    assert set() == {name for name in named if not (ROOT / name).exists()}


def test_architecture_names_each_package():
    text = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    packages = {f"`lilygames/{init.parent.name}/`" for init in ROOT.glob("lilygames/*/__init__.py")}

    assert set() == {package for package in packages if package not in text}


def test_readme_leads_to_architecture():
    assert "(ARCHITECTURE.md)" in (ROOT / "README.md").read_text("utf-8")
