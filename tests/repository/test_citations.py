from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache

import pytest

from tests.repository.documents.texts import documents, prose
from tests.repository.tracked import docstrings, hand_written, text_of, tracked_files

ELSEWHERE = re.compile(
    r"""
      \bspec\b(?!/)             # not part of an address
    | \b(?:the|a)\ specification\b
    | \bdesign\ \d
    | \bthe\ design\b
    | \binterface:\ [A-Z]
    | \b(?:interface|usage|port|design)\ document\b
    | \bthe\ (?:brief|card)\b
    | §
    """,
    re.VERBOSE,
)
"""Ways in which documents outside of the repository were cited."""
MACHINE = re.compile(r"(?<![\w.:/}\])-])/(?:home|root|Users|mnt|media|srv|works?\w*)/[\w./-]+")
"""Paths that exist on the machine of one person."""
ABOVE = re.compile(r"(?:\.\./)+(?P<name>\w[\w.-]*)")
"""Paths from a folder above; their first name has to be one of the repository."""
NAMED = re.compile(r"(?<![\w*/.-])[\w][\w./-]*\.md\b")
JAVASCRIPT = re.compile(r"/\*.*?\*/|(?<!:)//[^\n]*", re.DOTALL)
HASHED = re.compile(r"^\s*#[^\n]*|\s#\s[^\n]*", re.MULTILINE)


def python_texts(source: str) -> Iterator[str]:
    """Yield docstrings and comments."""
    yield from docstrings(ast.parse(source))
    yield from HASHED.findall(source)


def texts_of(name: str) -> Iterator[str]:
    """Yield the texts of a file that are written for people."""
    source = text_of(name)
    if name.endswith(".py"):
        yield from python_texts(source)
    elif name.endswith((".js", ".ts", ".css")):
        yield from JAVASCRIPT.findall(source)
    elif name.endswith(".md"):
        yield prose(source)
    else:
        yield from HASHED.findall(source)


@cache
def _names() -> tuple[frozenset[str], frozenset[str]]:
    """Return the names of all files with and without their folders, and the first words of all names."""
    there = frozenset(part for name in tracked_files() for part in (name, name.rpartition("/")[2]))
    return there, frozenset(part.partition(".")[0] for name in there for part in name.split("/"))


def citations(texts: Iterator[str]) -> list[str]:
    """Return the citations of documents that are not in the repository."""
    there, stems = _names()
    cited = []
    for text in texts:
        cited += [match[0] for match in ELSEWHERE.finditer(text)]
        cited += [match[0] for match in MACHINE.finditer(text)]
        cited += [match[0] for match in ABOVE.finditer(text) if match["name"].partition(".")[0] not in stems | MADE]
        cited += [name for name in NAMED.findall(text) if name.removeprefix("./") not in there]
    return cited


OWN_SAMPLES = "tests/repository/test_citations.py"


def written_for_people() -> tuple[str, ...]:
    suffixes = (".py", ".js", ".ts", ".css", ".toml", ".in", ".sh", "Makefile", ".importlinter")
    return tuple(
        sorted({*hand_written(*suffixes), *(name for name in documents() if name != "CHANGELOG.md")} - {OWN_SAMPLES})
    )


MADE = frozenset({"greeter"})
"""Folders beside the repository that the commands of a document make."""


def test_no_text_cites_a_document_that_is_not_in_the_repository() -> None:
    cited = {name: cited for name in written_for_people() if (cited := citations(texts_of(name)))}

    assert cited == {}


@pytest.mark.parametrize(
    ("text", "cited"),
    [
        ('"""Log of a probe. Source: spec, Logging."""', ["spec"]),
        ("x = 1  # design 7 has the reason", ["design 7"]),
        ("# see notes/plan.md", ["notes/plan.md"]),
        ("# see docs/usage.md", []),
        ("# as /workspace/notes says", ["/workspace/notes"]),
        ("# as ../elsewhere/notes says", ["../elsewhere"]),
        ("# as ../extension/store has it", []),
        ('spec = "the design"', []),
    ],
)
def test_a_citation_is_found_in_docstrings_and_comments_alone(text: str, cited: list[str]) -> None:
    assert citations(python_texts(text + "\n")) == cited


def test_a_citation_in_a_document_is_found_outside_of_its_code() -> None:
    text = "It is written in the specification.\n\n```sh\ncat the-design.md  # the design\n```\n\nSee `some.md`.\n"

    assert citations(iter([prose(text)])) == ["the specification"]
