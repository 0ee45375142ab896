"""Commands that run a program of the mirrored Go module: recipes, scripts and workflows. Pure.

Only what runs it is found: builds, tests and checks of the mirror are a fork's own business.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from ...findings import Finding
from ...modules import Module
from ...text import raw_path
from ..commands.lines import command_lines
from ..package_names import PackageNames
from .references import Guarded, names_code

_RUN = re.compile(r"(?:(?<![\w./-])go|\$[({]?GO\w*[)}]?)\s+(?:run|tool)\s([^;|&]*)")


def go_command_findings(module: Module, guarded: Guarded, allowed: str) -> Iterator[Finding]:
    """Yield a finding for each line that runs the mirrored module, by its folder or by an import path."""
    text = module.content.decode("utf-8", "replace")
    found: dict[int, str] = {}
    names = [name for name in (guarded.mirror, *guarded.prefixes) if name in text]
    lines = {name: dict(command_lines(text, PackageNames(name))) for name in names}
    for of_name in lines.values():
        for number, line in of_name.items():
            ran = _ran(line, module, guarded)
            # A line that is only shown is left out by the names that stand in it.
            if ran and all(_ran(lines[name][number], module, guarded) for name in names if name in line):
                found[number] = ran
    path = raw_path(module.path)
    for number, ran in sorted(found.items()):
        yield Finding("IMP002", path, f"runs {ran}", f"only these may run it: {allowed}", number)


def _ran(line: str, module: Module, guarded: Guarded) -> str:
    """Return the first package of the mirror that a line runs; empty when it runs none."""
    words = (word for found in _RUN.findall(line) for word in found.split())
    return next((one for one in map(_plain, words) if _runs(one, module, guarded)), "")


def _plain(word: str) -> str:
    return word.strip("\"'`,])")


def _runs(word: str, module: Module, guarded: Guarded) -> bool:
    """Return whether a package is meant as seen from the project, where most commands run, or from the file."""
    return any(names_code(word, folder, guarded) for folder in ("", posixpath.dirname(module.path)))
