"""Commands and variables that stand in YAML word by word, one a line, as one line each. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

SUFFIXES = (".yml", ".yaml")
_WORD = re.compile(r"( *)- +([\"']?)([^\s\"'#:]+(?::[^\s\"'#]+)*)\2 *(?:#.*)?")
_NAMED = re.compile(r"^[ -]*name: *[\"']?PYTHONPATH[\"']? *(?:#.*)?\n *value: *(.*)$", re.MULTILINE)
_VALUED = re.compile(r"^[ -]*value: *(.*)\n *name: *[\"']?PYTHONPATH[\"']? *(?:#.*)?$", re.MULTILINE)


def joined_words(text: str) -> Iterator[tuple[int, str]]:
    """Yield number and text of each list of single words, and of each pair of `name: PYTHONPATH` and its value."""
    first, words, indent = 0, list[str](), ""
    for number, line in enumerate([*text.splitlines(), ""], 1):
        found = _WORD.fullmatch(line)
        if words and (found is None or found[1] != indent):
            if len(words) > 1:
                yield first, " ".join(words)
            words = []
        if found is not None:
            first, indent = (first, indent) if words else (number, found[1])
            words.append(found[3])
    for pattern in (_NAMED, _VALUED):
        for pair in pattern.finditer(text):
            yield text.count("\n", 0, pair.start()) + 1, f"PYTHONPATH={pair[1]}"
