"""Rate of words that make a person the subject of a docstring: `python -m tests.repository.docstring_words`."""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.repository.tracked import ROOT

COUNTED = ("what", "who", "whoever", "nobody", "somebody", "told")
ROOTS = ("extension", "adapter", "tools")
LIMIT = 2.0
"""Occurrences of the counted words together per 1,000 words of docstring."""
_WORD = re.compile(r"[A-Za-z][A-Za-z'-]*")
_CODE = re.compile(r"`[^`]*`")


@dataclass(frozen=True)
class Language:
    """The docstrings of a folder: words in all, and how often each counted word stands in them."""

    words: int
    counted: Counter[str]

    @property
    def rate(self) -> float:
        """Counted words per 1,000 words."""
        return 1000 * self.counted.total() / self.words if self.words else 0.0


def docstrings(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield line and text of each docstring, those of constants included."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.lineno, node.value.value


def words_of(text: str) -> list[str]:
    """Return the words of a text in lower case, without code between backticks."""
    return [word.lower() for word in _WORD.findall(_CODE.sub(" ", text))]


def language_of(texts: Iterable[str]) -> Language:
    """Count the words of docstrings."""
    words = [word for text in texts for word in words_of(text)]
    return Language(len(words), Counter(word for word in words if word in COUNTED))


def files_below(folder: Path) -> list[Path]:
    """Return the Python files of a folder, generated ones left out."""
    return [path for path in sorted(folder.rglob("*.py")) if not path.name.startswith("_generated")]


def measure(folder: Path) -> Language:
    """Measure the docstrings of all files below a folder."""
    return language_of(
        text for path in files_below(folder) for _, text in docstrings(ast.parse(path.read_text(encoding="utf-8")))
    )


def main(arguments: Sequence[str]) -> int:
    """Print the figure of each folder, or with `--where` each docstring that holds a counted word."""
    for name in [word for word in arguments if not word.startswith("-")] or ROOTS:
        if "--where" in arguments:
            _print_places(ROOT / name)
            continue
        found = measure(ROOT / name)
        counts = ", ".join(f"{word} {count}" for word, count in found.counted.most_common())
        sys.stdout.write(
            f"{name}: {found.rate:.1f} per 1,000 of {found.words} words{f' ({counts})' if counts else ''}\n"
        )
    return 0


def _print_places(folder: Path) -> None:
    for path in files_below(folder):
        for line, text in docstrings(ast.parse(path.read_text(encoding="utf-8"))):
            if language_of([text]).counted:
                sys.stdout.write(f"{path.relative_to(ROOT)}:{line}: {' '.join(text.split())}\n")


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
