"""Write the commit into a wheel or an sdist, so that `lilygames --version` can tell it there."""

from __future__ import annotations

import runpy
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Stamp(BuildHookInterface):
    """Add the file with the commit, if this is a clone. An sdist has it already."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the file to what is built. An editable install, whose `version` is "editable", reads git's files."""
        names = runpy.run_path(str(Path(self.root) / "lilygames/server/process/version.py"))
        commit = names["commit_of"](Path(self.root))
        if version == "editable" or not commit or (Path(self.root) / names["STAMP"]).exists():
            return
        file = Path(mkdtemp()) / "commit"
        file.write_text(f"{commit}\n", "ascii")
        build_data["force_include"][str(file)] = names["STAMP"]
