"""Files of Python that may refer to the guarded package, told by their text: most are not worth parsing. Pure.

Theory of operation: each way to refer to the package needs certain letters in the decoded text. Looking for letters is
a hundred times as quick as a search with a pattern, so that a pattern is tried only where its letters are there.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from ..package_names import PackageNames
from .pieced_texts import may_spell
from .settings import MODULE_LISTS

IMPORTERS = frozenset({
    "import_module", "__import__", "find_spec", "find_loader", "resolve_name", "run_module", "load_module", "locate",
    "run_path", "spec_from_file_location", "SourceFileLoader", "files", "importorskip",
})  # fmt: skip
"""Functions that import what they are given by name or path."""
ONLY_BY_TEXT = frozenset({"files", "locate", "run_path", "spec_from_file_location", "SourceFileLoader", "importorskip"})
"""Importers that take other things as well, so that a computed argument says nothing."""
RUNNERS = frozenset({"exec", "eval", "compile"})
"""Functions that run text."""
_WORDS = (IMPORTERS - ONLY_BY_TEXT) | MODULE_LISTS | {"importlib", "pkgutil", "runpy", "_gcd_import", "modules", "vars"}
# What these import is written in the file, the package's name whole or in pieces; one of them is a word of many texts.
_BY_TEXT = tuple((word, re.compile(rf"\b{word}\b")) for word in sorted(ONLY_BY_TEXT))


def may_refer(text: str, names: PackageNames) -> bool:
    """Return whether a decoded file is worth parsing: quick, and never false for one that holds a reference."""
    return _has(text, _signs(names)) or (_has(text, _BY_TEXT) and may_spell(text, names.package))


def _has(text: str, signs: Sequence[tuple[str, re.Pattern[str]]]) -> bool:
    return any(letters in text and pattern.search(text) is not None for letters, pattern in signs)


@lru_cache(maxsize=4)
def _signs(names: PackageNames) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return pairs of letters and a pattern that no text without the letters has."""
    name = re.escape(names.package)
    patterns = [
        # An escape can spell any name, and a line that goes on can stand between a keyword and the name.
        ("\\", r"\\[\r\nxuUN0-7]"),
        # Names are found whole; what runs text counts by its own name only, so that `re.compile` is none of it.
        *((word, rf"\b{word}\b") for word in sorted(_WORDS)),
        *((word, rf"(?<![.\w]){word}\b") for word in sorted(RUNNERS)),
        ("-m", r"-m\b"),
        ("builtins", r"\b(?:__)?builtins(?:__)?\b"),
        ("__dict__", r"\bsys\b"),
        ("getattr", r"\bsys\b"),
        (f"{names.package}.", rf"\b{name}\.\w"),
        (f"{names.package}:", rf"=\s*{name}:\w"),
        (names.package, rf"\b(?:import|from)\b[^\n]*\b{name}\b"),
        (f"m{names.package}", rf"-[A-Za-z]*m{name}\b"),
        # What is given a name of the package.
        (names.package, rf"(?:[A-Z]\s*=|[+|\]]\s*=|\.?[a-z_]+\()[^\n]*[\"']{name}[\"']"),
        *((word, rf"(?s:{word}\b.{{0,200}}?)\b{name}\b") for word in ("__name__", "__package__", "run_name")),
    ]
    for folder in names.folders:
        # What is taken from the folder above may stand on the lines after it.
        last = folder.rpartition(".")[2]
        patterns.append((folder, rf"\b{re.escape(folder)}\b"))
        patterns.append((last, rf"\bfrom\b[^\n]*\b{re.escape(last)}\s+import\b"))
    return tuple((letters, re.compile(pattern)) for letters, pattern in patterns)
