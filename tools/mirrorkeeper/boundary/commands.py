"""Commands and settings that lead to the guarded package without a line of Python: recipes, scripts, entry points."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from ..errors import ToolError
from ..findings import Finding
from ..modules import Module

_NAMES = frozenset({"makefile", "gnumakefile", "justfile", "procfile", "containerfile", ".envrc", ".env", "pipfile"})
_SUFFIXES = frozenset(
    {
        *(".mk", ".sh", ".bash", ".zsh", ".fish", ".ps1", ".bat", ".cmd"),
        *(".yml", ".yaml", ".toml", ".cfg", ".ini", ".conf", ".env", ".service", ".pth"),
        *(".in", ".j2", ".mako", ".tmpl"),
    }
)
_AT_MOST = 1_000_000


def read_commands(path: Path, shown: str) -> Module | None:
    """The file, when it is of a kind that holds commands or settings; None of any other.

    Raises:
        ToolError: it cannot be read.
    """
    name = path.name.lower()
    try:
        if name in _NAMES or name.startswith(("dockerfile", "makefile")) or path.suffix.lower() in _SUFFIXES:
            return Module(shown, path.read_bytes()[:_AT_MOST])
        if not path.suffix and path.is_file():
            with path.open("rb") as file:
                script = file.read(2) == b"#!"
            return Module(shown, path.read_bytes()[:_AT_MOST]) if script else None
    except FileNotFoundError:  # deleted, and git does not know it yet
        return None
    except OSError as error:
        raise ToolError(f"{shown} cannot be read: {error.strerror}") from error
    return None


def command_findings(module: Module, package: str, mirror: str, root: Path, allowed: str) -> Iterator[Finding]:
    """Yield a finding for each line that starts the package, imports it, or puts the mirror on the import path."""
    fix = f"only these may import it: {allowed}"
    inside = re.compile(rf"pythonpath.*{re.escape(mirror)}(?![\w-])", re.IGNORECASE)
    command = command_of(package)
    entry = re.compile(rf"=\s*[\"']?{re.escape(package)}(?:\.\w+)*:\w+")
    for number, line in enumerate(module.content.decode("utf-8", "replace").splitlines(), 1):
        path = module.path.encode("utf-8", "surrogateescape")
        if module.path.endswith(".pth"):
            if _leads_into(line, module.path, mirror, root):
                text = "puts the mirrored folder on the import path"
                yield Finding("IMP008", path, text, "remove the line", number)
        elif inside.search(line):
            yield Finding("IMP008", path, "puts the mirrored folder on the import path", fix, number)
        elif command.search(line) or entry.search(line):
            yield Finding("IMP002", path, f"imports {package} by a command", fix, number)


def command_of(package: str) -> re.Pattern[str]:
    """Return the pattern of `-m`, `-p` or a statement of Python with the package, within a line of any language."""
    name = re.escape(package)
    option = rf"(?<![\w-])-[A-Za-z]*[mp][\"',\s]*{name}(?=[\"',.;\s)]|$)"
    others = r"(?:[\w.]+(?:\s+as\s+\w+)?\s*,\s*)*"
    statement = rf"(?:^|[\"';])\s*(?:import\s+{others}{name}(?=[\"',.;\s)]|$)|from\s+{name}(?:\.\w+)*\s+import\b)"
    call = rf"\b(?:__import__|import_module|run_module)\(\s*\\?[\"']{name}(?:\.\w+)*\\?[\"']"
    return re.compile(f"{option}|{statement}|{call}", re.MULTILINE)


def _leads_into(line: str, shown: str, mirror: str, root: Path) -> bool:
    """Return whether a line of a `.pth` file is a path at or below the mirrored folder; those with imports are code."""
    text = line.strip()
    if not text or text.startswith("#") or line.startswith(("import ", "import\t")):
        return False
    own = Path(os.path.realpath(root / mirror))
    places = (root / PurePosixPath(shown).parent / text, root / text)
    return any(Path(os.path.realpath(place)).is_relative_to(own) for place in places)
