"""Commands that start the guarded package or run a line of Python with it, within text of any language. Pure.

Theory of operation: `-m NAME` counts as an argument of a Python interpreter, or of a program that starts one; a word
that is not known (a variable, a gap) may be one. Where no command stands before it, as in a list, it counts, too.
Repetitions have a limit, so that a long line costs no more than its length.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from ..package_names import PackageNames

GAP = "\0"
"""Stands for a word that is not known."""
_BETWEEN = r"[\s\"',\[\]\\]{1,80}"
_WORD = r"[^\s\"',;|&\[\]\\]"
_STARTERS = r"coverage|memray|accelerate|uv|poetry|pdm|hatch|pipenv|rye|pipx"
_DEBUGGERS = r"uvx|kernprof|scalene|viztracer|pyinstrument|torchrun|debugpy|pdb3?"
_INTERPRETER = (
    rf"(?:(?:python|pypy|\0|\$){_WORD}{{0,80}}|(?<![\w.-])(?:py|ipy|{_DEBUGGERS})"
    rf"|(?<![\w.-])(?:{_STARTERS}){_BETWEEN}(?:run|launch|exec))"
)
# An option may be followed by words of its own: `-X dev`, `-m coverage run`.
# What follows these modules is theirs: a marker, a message.
_OWN_WORD = rf"{_BETWEEN}(?!-|(?:pytest|py\.test|alembic)(?![\w.])){_WORD}+"
_OPTION = rf"(?:-[A-Za-z]*m(?:{_OWN_WORD}){{1,2}}|-{_WORD}+(?:{_OWN_WORD})?)"
_NO_COMMAND = r"(?:^|[\[(=:])(?<!addopts=)(?<!addopts\s=)(?<!addopts=\[)(?<!addopts\s=\s\[)[\s\"']*(?:-\s+)?[\"']?"
_PYTHON = re.compile(rf"python|pypy|pytest|\b(?:py|ipy|{_STARTERS}|{_DEBUGGERS})\b", re.IGNORECASE)
_PYTEST = re.compile(r"pytest|py\.test|addopts", re.IGNORECASE)
_END = r"(?=[\"',.;:\s)\]\\`&|<>]|$)"


def command_in_file(names: PackageNames, text: str) -> re.Pattern[str]:
    """Return the pattern of a command for the lines of a file: options alone are Python's if the file names Python."""
    return command_of(names, alone=bool(_PYTHON.search(text)), plugins=bool(_PYTEST.search(text)))


@lru_cache(maxsize=16)
def command_of(names: PackageNames, *, alone: bool = True, plugins: bool = True) -> re.Pattern[str]:
    """Return the pattern of `-m` (its group `option`), a plugin that pytest loads, or a statement with the package.

    Args:
        names: the package.
        alone: whether `-m` counts where no command stands before it.
        plugins: whether `-p` and `--pyargs` do.
    """
    name = names.pattern
    module_alone, plugin_alone = (_NO_COMMAND if one else r"(?!)" for one in (alone, plugins))
    module = rf"(?P<option>-[A-Za-z]*m[\"',\s=]*{name}{_END})"
    started = rf"(?:{_INTERPRETER}{_BETWEEN}|{module_alone})(?:{_OPTION}{_BETWEEN}){{0,12}}?{module}"
    pytest = rf"(?:\b(?:pytest|py\.test|addopts)\b[^;|&\n]{{0,200}}?[\s\"',=\[]|{plugin_alone})"
    plugin = rf"{pytest}(?:-p|--pyargs)[\"',\s]*{name}{_END}"
    loaded = rf"\bPYTEST_PLUGINS[\"'\s]*[=:][\"'\s]*(?:[\w.]+,)*{name}(?=[\"',.\s]|$)"
    others = r"(?:[\w.]+(?:\s+as\s+\w+)?\s*,\s*)*"
    ended = r"(?:\.\w+)*\s*(?:$|[;,\"')#\\]|as\b)"
    taken = rf"from\s+{name}(?:\.\w+)*\s+c?import\b"
    above = "|".join(map(re.escape, names.folders))
    handed = rf"|from\s+(?:{above})\s+c?import\s+[^;\n]*\b{re.escape(names.package)}\b" if above else ""
    statement = rf"(?:^|[\"';])\s*(?:c?import\s+{others}{name}{ended}|{taken}{handed})"
    call = rf"\b(?:__import__|import_module|run_module)\(\s*\\?[\"']{name}(?:\.\w+)*\\?[\"']"
    return re.compile(f"{started}|{plugin}|{loaded}|{statement}|{call}", re.MULTILINE)


@lru_cache(maxsize=8)
def file_of(names: PackageNames) -> re.Pattern[str]:
    """Return the pattern of a command that runs a file of the package, or its folder, by the path."""
    folders = "|".join("[/.]".join(map(re.escape, one.split("."))) for one in names.folders) or r"(?!)"
    interpreter = r"(?:(?<![\w.-])(?:python|pypy)[\w.]{0,20}|\$[({]?\w*(?:PY|py)\w*[)}]?)"
    # After `-m` another module runs, which is given the path.
    option = rf"-(?![A-Za-z]*[mc]\b){_WORD}+{_BETWEEN}(?:(?!-)\w+{_BETWEEN})?"
    place = rf"(?:{_WORD}{{0,200}}/)?(?:{folders})/{re.escape(names.package)}(?:/[\w./-]*\.py|/?)"
    return re.compile(rf"{interpreter}{_BETWEEN}(?:{option}){{0,12}}?{place}{_END}")


@lru_cache(maxsize=8)
def piped_command_of(names: PackageNames) -> re.Pattern[str]:
    """Return the pattern of a command whose last word, the package, comes through `xargs`."""
    started = rf"(?:python|pypy|\$){_WORD}{{0,80}}(?:{_BETWEEN}-{_WORD}+){{0,6}}?{_BETWEEN}-[A-Za-z]*m"
    return re.compile(
        rf"{names.pattern}{_END}[^;\n]{{0,200}}\|\s*xargs\s[^;|\n]{{0,100}}?{started}\s*(?:$|[;|&)\"']|\{{\}})"
    )


def command_of_words(words: Sequence[str | None]) -> str:
    """Return the line of a command that is given word by word: the program may be any, whatever its first word says."""
    known = [GAP if word is None else word for word in words]
    return " ".join(known if not known or known[0].startswith("-") else [GAP, *known[1:]])
