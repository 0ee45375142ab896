"""Statements that a file has `grep` or `git` look for, given word by word to a process without a shell. Pure."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from ...syntax_tree import nodes_of_kind
from .given_values import Bindings

_GREP = frozenset({"grep", "egrep", "fgrep", "rg", "ag", "ack"})
_HISTORY = frozenset({"log", "rev-list", "shortlog", "reflog", "show", "diff"})
_STARTING = frozenset({"run", "call", "check_call", "check_output"})
# None of these names another program, or another place to look for it.
_HARMLESS = frozenset(
    {
        "cwd",
        "capture_output",
        "text",
        "check",
        "stdout",
        "stderr",
        "encoding",
        "errors",
        "timeout",
        "universal_newlines",
    }
)
# Nothing of it would run in a shell or as an option either.
_STATEMENT = re.compile(r"\s*(?:(?:--grep=|-[SG])\s*)?(?:import|from)\b[^\"'`;|&<>$\\]*")


def searched_by_commands(tree: ast.Module, bindings: Bindings) -> Iterator[ast.expr]:
    """Yield the statements that such a command looks for."""
    for call in nodes_of_kind(tree, ast.Call):
        if not call.args[:1] or not isinstance(call.args[0], ast.List | ast.Tuple):
            continue
        words = [one.value if isinstance(one, ast.Constant) else None for one in call.args[0].elts]
        if not words or words[0] not in _GREP | {"git"} or not _is_plain(call, bindings):
            continue
        for place, (word, node) in enumerate(zip(words, call.args[0].elts, strict=True)):
            if isinstance(word, str) and _STATEMENT.fullmatch(word) and _looks_for(words, place):
                yield node


def _is_plain(call: ast.Call, bindings: Bindings) -> bool:
    """Return whether a call starts the program of that name on the usual path, with these words."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    if name not in _STARTING or call.args[1:] or any(word.arg not in _HARMLESS for word in call.keywords):
        return False
    return bindings.calls(call, "subprocess") and not bindings.mentions({"PATH", "environ", "putenv", "setenv"})


def _looks_for(words: Sequence[object], place: int) -> bool:
    """Return whether the word at a place is the text to search; an option before it may take it instead."""
    if words[0] in _GREP or words[1:2] == ["grep"]:
        return True
    commands = [one for one in words[1:place] if isinstance(one, str) and not one.startswith("-")]
    looking = str(words[place]).startswith(("--grep=", "-S", "-G")) or words[place - 1] in ("--grep", "-S", "-G")
    return bool(commands) and commands[0] in _HISTORY and looking
