"""The lines of recipes, scripts and settings as they are run: joined, without comments, variables replaced. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..package_names import PackageNames

_QUOTED = r"\"(?:[^\"\\]|\\.)*\"|'[^']*'"
_COMMENT = re.compile(rf"((?:[^\"'\\#]|\\.|{_QUOTED}|(?<=\S)#)*)(?<!\S)#.*")
# Text that is shown, and neither piped into a program nor written to a file.
_SHOWN = re.compile(rf"(?<![\w./-])(?:echo|printf)\s(?:{_QUOTED}|[^\"';|&<>])*(?:[12]?>&[12]\s*)?(?=$|;|&&|\|\|)")
# What a program looks for is run by nobody, wherever its output goes.
_SEARCHED = re.compile(rf"(?<![\w.-])(?:[efz]?grep|rg|ag|ack)\s(?:{_QUOTED}|[^\"';|&<>])*")
# A statement that git looks for in messages and changes. Without a separator or a command in it nothing of it would
# run, wherever the quotes before it begin and end.
_IN_HISTORY = re.compile(
    rf"((?<![\w.$/-])git\s(?:{_QUOTED}|[^\"';|&<>])*?\b(?:log|rev-list|shortlog|reflog|show|diff)\s"
    rf"(?:{_QUOTED}|[^\"';|&<>])*?(?<!\S)(?:--grep[=\s]|-[SG])\s*)([\"'])\s*(?:import|from)\b[^\"'`;|&<>$\\]*\2"
)
# The same in a message; where something of the file is handed on to Python, the history could be it.
_IN_MESSAGE = re.compile(
    rf"((?<![\w.$/-])git\s(?:{_QUOTED}|[^\"';|&<>])*?\b(?:commit|tag|merge|notes|stash)\s"
    rf"(?:{_QUOTED}|[^\"';|&<>])*?(?<!\S)(?:-[a-z]*m|--message[=\s])\s*)([\"'])\s*(?:import|from)\b[^\"'`;|&<>$\\]*\2"
)
_HANDED_ON = re.compile(r"(?:python|pypy|\bsh|\beval)\b[^\n]*(?:\$|`|<)|\|[^\n]*(?:python|pypy|\bsh\b|\$|xargs)")
_OWN_GIT = re.compile(r"(?m)\balias\s[^\n]*\bgit\s*=|\bgit\s*\(\s*\)|\bfunction\s+git\b")
_WHOLE_COMMENT = re.compile(r"\s*(?:#|;|::|@?rem\s)", re.IGNORECASE)
_LONG = 10_000
_RUN_WITHIN = re.compile(r"\$\(|`")
# A function or an alias of a shell that hands its arguments on to Python.
_FUNCTION = re.compile(
    r"(?<![\w$.-])([\w-]+)\s*\(\s*\)\s*\{(?:(?!\n\}).){0,400}?(?:python|pypy|\$\{?PY)[^\n;|]{0,200}?\$(?:[@*]|\{[@*])",
    re.DOTALL,
)
_ALIAS = re.compile(r"(?<![\w$.-])alias\s+([\w-]+)=[\"']?[^\s\"']*(?:python|pypy)")
_USED = re.compile(r"\$\$?(?:(\w+)|\{(\w+)\}|\((\w+)\))")


def command_lines(text: str, names: PackageNames) -> Iterator[tuple[int, str]]:
    """Yield number and text of each line that may run something; a line that goes on counts by its first one."""
    values, started = _values(text, names), _starters(text)
    for number, whole in _joined(text):
        line = whole if whole.startswith("#!") else _without_comment(whole)
        if values and "$" in line:
            line = _USED.sub(lambda used: values.get(used[1] or used[2] or used[3], used[0]), line)
        if started is not None and names.package in line:
            line = started.sub("python", line)
        plain = names.package not in line or len(line) >= _LONG
        yield number, line if plain else _SEARCHED.sub(_kept, _SHOWN.sub(_kept, _without_history_search(line, text)))


def _without_history_search(line: str, text: str) -> str:
    """Return a line without statements that git looks for in its history; the rest of the command stays."""
    if "git" not in line or _OWN_GIT.search(text):
        return line
    before = ""
    while before != line:
        before, line = line, _IN_HISTORY.sub(r"\1", line)
    return line if _HANDED_ON.search(text) else _IN_MESSAGE.sub(r"\1", line)


def _joined(text: str) -> Iterator[tuple[int, str]]:
    first, begun = 1, ""
    for number, line in enumerate(text.splitlines(), 1):
        if not begun:
            first = number
        if line.endswith("\\") and not line.lstrip().startswith("#"):
            begun += line[:-1] + " "
            continue
        yield first, begun + line
        begun = ""
    if begun:
        yield first, begun


def _without_comment(line: str) -> str:
    """Return a line up to its comment; where quotes do not match the rest of the line, nothing is taken for one."""
    if _WHOLE_COMMENT.match(line):
        return ""
    found = _COMMENT.fullmatch(line) if "#" in line else None
    return found[1] if found else line


def _kept(shown: re.Match[str]) -> str:
    return shown[0] if _RUN_WITHIN.search(shown[0]) else ""


def _starters(text: str) -> re.Pattern[str] | None:
    """Return the pattern of a file's own names for Python where arguments follow; None when it has none."""
    functions = _FUNCTION.findall(text) if "()" in text or "( )" in text else []
    found = {*functions, *(_ALIAS.findall(text) if "alias" in text else ())}
    names = "|".join(map(re.escape, sorted(found)))
    return re.compile(rf"(?<![\w$./-])(?:{names})(?=\s+-)") if found else None


def _values(text: str, names: PackageNames) -> dict[str, str]:
    """Return the variables of a file that are given a module of the package."""
    given = rf"(?<![\w$({{-])(\w+)\s*[:?+]{{0,2}}[=:]\s*[\"']?({names.pattern}(?:\.\w+)*)(?=[\"';\s]|$)"
    return dict(re.findall(given, text, re.MULTILINE))
