"""Lines in the project's own `.gitattributes`, which keep git from converting what the tools compare byte for byte."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from ..errors import ToolError
from ..project import Project
from ..system.files import Files, replace_file

ATTRIBUTES = ".gitattributes"
_PLAIN = re.compile(r"[\w./-]+")


def add_lines(project: Project, files: Files, lines: Sequence[str]) -> tuple[str, ...]:
    """Put those of the lines that are missing at the end of the file, and return them.

    Raises:
        ToolError: the file is there and cannot be read.
    """
    place = project.root / ATTRIBUTES
    text = _read(place)
    missing = tuple(line for line in lines if line not in text.splitlines())
    if missing:
        begun = f"{text.rstrip()}\n" if text.strip() else ""
        replace_file(files, place, (begun + "\n".join(missing) + "\n").encode())
    return missing


def keep_line_ends(project: Project, files: Files, path: str) -> str:
    """Guard a generated file against other line ends in some clones; return the line that was added, or nothing."""
    if project.prefix is None or _PLAIN.fullmatch(path) is None:
        return ""
    literal = {"GIT_LITERAL_PATHSPECS": "0"}  # the command refuses it
    answer = project.git.run("check-attr", "-z", "text", "eol", "--", path, environment=literal)
    text, eol = answer.stdout.decode("utf-8", "replace").split("\0")[2::3]
    if text == "unset" or (eol == "lf" and text != "unspecified"):
        return ""
    return "".join(add_lines(project, files, (f"{path} -text",)))


def _read(place: Path) -> str:
    try:
        return place.read_text(encoding="utf-8")
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        raise ToolError(f"{place.name} cannot be read: {error}", "correct it, then run the command again") from error
