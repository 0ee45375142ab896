"""Commands and variables that stand in YAML or JSON over several lines, as one line each. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

SUFFIXES = (".yml", ".yaml")
_WORD = re.compile(r"( *)- +([\"']?)([^\s\"'#:]+(?::[^\s\"'#]+)*)\2 *(?:#.*)?")
_BLANK = r"(?: *(?:#[^\n]*)?\n)*"
_NAMED = re.compile(rf"^[ -]*name: *[\"']?PYTHONPATH[\"']? *(?:#[^\n]*)?\n{_BLANK} *value: *([^\n]*)$", re.MULTILINE)
_VALUED = re.compile(rf"^[ -]*value: *([^\n]*)\n{_BLANK} *name: *[\"']?PYTHONPATH[\"']? *(?:#.*)?$", re.MULTILINE)
_STATEMENT = re.compile(rf"^ *- +[\"']?-[A-Za-z]*c[\"']? *(?:#[^\n]*)?\n{_BLANK} *- +[\"']?([^\n]*)$", re.MULTILINE)
# What runs may be Python, by `shell: python` on a line of its own.
_RUN = re.compile(
    r"^(?:[ \t-]*|[^#\n]{0,500}?[{,][ \t]*)[\"']?(?:run|script|command)[\"']?[ \t]*:[ \t]+(?:[!&]\S+[ \t]+)?"
    r"((?:c?import|from)[ \t][^\n]*)$",
    re.MULTILINE,
)
_LIST = re.compile(r"\[[^\[\]\n]{0,2000}\n[^\[\]]{0,2000}\]")


def joined_words(text: str) -> Iterator[tuple[int, str]]:
    """Yield number and text of lists of words, statements after `-c` or `run:`, `name: PYTHONPATH` and its value."""
    text = text.replace("\r\n", "\n")
    first, words, indent = 0, list[str](), ""
    for number, line in enumerate([*text.splitlines(), "..."], 1):
        found = _WORD.fullmatch(line)
        if words and line and not line.lstrip().startswith("#") and (found is None or found[1] != indent):
            if len(words) > 1:
                yield first, " ".join(words)
            words = []
        if found is not None:
            first, indent = (first, indent) if words else (number, found[1])
            words.append(found[3])
    for pattern in (_NAMED, _VALUED):
        for pair in pattern.finditer(text):
            yield text.count("\n", 0, pair.start()) + 1, f"PYTHONPATH={pair[1]}"
    for pattern in (_STATEMENT, _RUN, _LIST):
        for one in pattern.finditer(text):
            yield text.count("\n", 0, one.start()) + 1, " ".join(one[one.re.groups].split())
