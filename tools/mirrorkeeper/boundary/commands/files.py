"""Commands and settings that lead to the guarded package without a line of Python: recipes, scripts, entry points."""

from __future__ import annotations

import codecs
import os
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path, PurePosixPath

from ...findings import Finding
from ...modules import Module, UnreadError, source_of
from ...system.regular_file import open_regular_file
from ...text import raw_path
from ..package_names import PackageNames
from .hook_patterns import without_hook_patterns
from .json_words import module_folder_of, with_plain_words
from .lines import command_lines
from .patterns import command_in_file, file_of, piped_command_of
from .yaml_words import SUFFIXES as YAML
from .yaml_words import joined_words

_ENTRY_POINTS = "entry_points.txt"
_RECIPES = ("makefile", "gnumakefile", "justfile", "procfile", "containerfile")
# Scripts and tasks in JSON; any other file of JSON holds data.
_LAUNCHED = "launch.json"
_CONTAINERS = ("devcontainer.json", ".devcontainer.json")
_TASKS = ("package.json", "composer.json", "deno.json", "deno.jsonc", "tasks.json", *_CONTAINERS, _LAUNCHED)
_NAMES = frozenset(
    {*_RECIPES, ".envrc", ".env", "pipfile", "crontab", ".gitconfig", "gitconfig", _ENTRY_POINTS, *_TASKS}
)
_HOOKS = frozenset(
    {
        *(
            "applypatch-msg",
            "pre-applypatch",
            "post-applypatch",
            "pre-commit",
            "pre-merge-commit",
            "prepare-commit-msg",
        ),
        *("commit-msg", "post-commit", "pre-rebase", "post-checkout", "post-merge", "pre-push", "pre-receive"),
        *("post-receive", "post-update", "pre-auto-gc", "post-rewrite"),
    }
)
_HOOK_FOLDERS = frozenset({".husky", ".githooks", ".git-hooks", "githooks", "hooks"})
_PATHS = (".pth", ".egg-link")
_ESCAPE = re.compile(r"(?<!\\)\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))")
_CYTHON = (".pyx", ".pxd", ".pxi")
_SUFFIXES = frozenset(
    {
        *(".mk", ".sh", ".bash", ".zsh", ".fish", ".ps1", ".bat", ".cmd"),
        *(".yml", ".yaml", ".toml", ".cfg", ".ini", ".conf", ".env", ".service"),
        *(".dockerfile", ".containerfile", *_PATHS),
        *(".in", ".j2", ".mako", ".tmpl"),
        *_CYTHON,
    }
)


def read_commands(path: Path, shown: str) -> Module | None:
    """The file, when it is of a kind that holds commands or settings; None of any other.

    Raises:
        OSError: it cannot be read.
        TooLargeError: it is larger than any source.
    """
    name = path.name.lower()
    if name in _NAMES or name.startswith(("dockerfile", "makefile")) or path.suffix.lower() in _SUFFIXES:
        return Module(shown, source_of(path))
    if path.suffix:
        return None
    if name in _HOOKS or path.parent.name in _HOOK_FOLDERS:  # a shell runs one without a first line that names it
        return Module(shown, source_of(path))
    with open_regular_file(path) as file:
        script = file.read(2) == b"#!"
    return Module(shown, source_of(path)) if script else None


def command_findings(module: Module, names: PackageNames, mirror: str, root: Path, allowed: str) -> Iterator[Finding]:
    """Yield a finding for each line that starts the package, imports it, or puts the mirror on the import path."""
    text = without_hook_patterns(_decoded(module.content), module.path)
    if module.path.endswith(_PATHS):
        yield from _path_findings(text, module.path, mirror, root)
        return
    if names.package not in text and mirror.casefold() not in text.casefold():
        return
    text = with_plain_words(text) if module.path.endswith(_TASKS) else text
    fix = f"only these may import it: {allowed}"
    path = raw_path(module.path)
    inside, command = _path_to(mirror), command_in_file(names, text)
    piped = piped_command_of(names)
    entry = _module_of(names) if module.path.endswith(_ENTRY_POINTS) else _entry_of(names)
    more = joined_words(text) if module.path.endswith((*YAML, *_TASKS)) else ()
    patterns = (command, entry, piped, *((_debugged(names),) if module.path.endswith(_LAUNCHED) else ()))
    folder = module_folder_of(names) if module.path.endswith(_LAUNCHED) and '"module"' in text else None
    for number, line in (*command_lines(text, names), *more):
        if inside.search(line) or (folder is not None and folder.search(line)):
            yield Finding("IMP008", path, "puts the mirrored folder on the import path", fix, number)
        elif names.package in line and any(one.search(line) for one in patterns):
            how = ("IMP001", "") if module.path.endswith(_CYTHON) else ("IMP002", " by a command")
            yield Finding(how[0], path, f"imports {names.package}{how[1]}", fix, number)
        elif names.package in line and file_of(names).search(line):
            yield Finding("IMP002", path, f"runs a file of {names.package}", fix, number)


def _decoded(content: bytes) -> str:
    """Return the text of a file with its escapes of letters replaced: YAML, TOML and shells know the same ones."""
    encoding = "utf-16" if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8"
    text = content.decode(encoding, "replace")
    return _ESCAPE.sub(_letter, text.replace("$'", "'")) if "\\" in text else text


def _letter(escape: re.Match[str]) -> str:
    code = int(escape[1] or escape[2] or escape[3], 16)
    return chr(code) if code < 128 and chr(code).isprintable() else escape[0]  # noqa: PLR2004 - ASCII


@lru_cache(maxsize=8)
def _path_to(mirror: str) -> re.Pattern[str]:
    return re.compile(rf"(?:pythonpath|prepend_sys_path).*{re.escape(mirror)}(?![\w-])", re.IGNORECASE)


@lru_cache(maxsize=8)
def _entry_of(names: PackageNames) -> re.Pattern[str]:
    return re.compile(rf"=\s*[\"']{{0,3}}{names.pattern}(?:\.\w+)*:\w+")


@lru_cache(maxsize=8)
def _debugged(names: PackageNames) -> re.Pattern[str]:
    folders = "|".join(re.escape(one.replace(".", "/")) for one in names.folders) or r"(?!)"
    program = rf"\"program\"\s*:\s*\"[^\"]*(?:{folders})/{re.escape(names.package)}[/\"]"
    return re.compile(rf"\"module\"\s*:\s*\"{names.pattern}(?:\.\w+)*\"|{program}")


@lru_cache(maxsize=8)
def _module_of(names: PackageNames) -> re.Pattern[str]:
    return re.compile(rf"=\s*{names.pattern}(?:\.\w+)*\s*(?:$|[:\[#;])")


def _path_findings(text: str, shown: str, mirror: str, root: Path) -> Iterator[Finding]:
    path = raw_path(shown)
    for number, line in enumerate(text.splitlines(), 1):
        try:
            leads = _leads_into(line, shown, mirror, root)
        except ValueError as error:  # an embedded null byte
            yield UnreadError(shown, f"holds no path: {error}", "remove the line", number).finding(shown)
            continue
        if leads:
            yield Finding("IMP008", path, "puts the mirrored folder on the import path", "remove the line", number)


def _leads_into(line: str, shown: str, mirror: str, root: Path) -> bool:
    """Return whether a line of a file of paths leads into the mirrored folder; those with imports are code."""
    text = line.strip()
    if not text or text.startswith("#") or line.startswith(("import ", "import\t")):
        return False
    own = Path(os.path.realpath(root / mirror))
    places = (root / PurePosixPath(shown).parent / text, root / text)
    return any(Path(os.path.realpath(place)).is_relative_to(own) for place in places)
