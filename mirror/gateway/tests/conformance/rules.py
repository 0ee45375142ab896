"""The rules of the stock gateway that this one keeps: a name and a sentence each, in the order they are described."""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

_HERE = Path(__file__).parent


@cache
def rules() -> Mapping[str, str]:
    """Return every rule by its name, ``subject.point``."""
    texts = (path.read_text() for path in sorted((_HERE / "rules").glob("*.toml")))
    return _flat([tomllib.loads(text) for text in texts])


@cache
def not_kept() -> Mapping[str, str]:
    """Return the rules this gateway does not keep, each with the reason."""
    return _flat([tomllib.loads((_HERE / "not_kept.toml").read_text())])


def _flat(documents: list[dict[str, dict[str, str]]]) -> dict[str, str]:
    return {
        f"{subject}.{point}": sentence
        for document in documents
        for subject, points in document.items()
        for point, sentence in points.items()
    }


def rule(*names: str) -> pytest.MarkDecorator:
    """Mark a test as one of the rules it names; an unknown name is an error."""
    unknown = [name for name in names if name not in rules()]
    if unknown:
        raise LookupError(f"no such rule: {', '.join(unknown)}")
    return pytest.mark.rule(*names)


def row(names: str, *values: Any) -> Any:
    """Return one row of a table of tests: the rule it checks (several parted by blanks), and the values."""
    return pytest.param(*values, id=names.split(maxsplit=1)[0], marks=rule(*names.split()))
