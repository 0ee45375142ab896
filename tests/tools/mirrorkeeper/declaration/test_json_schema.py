from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

import jsonschema_rs
import pytest

from tests.repository.tracked import ROOT
from tools.mirrorkeeper.declaration.declaration import parse_declaration
from tools.mirrorkeeper.declaration.json_schema import json_schema
from tools.mirrorkeeper.errors import ToolError
from tools.mirrorkeeper.project import Project
from tools.mirrorkeeper.toml.table import Table

SCHEMA: Mapping[str, Any] = json.loads(json_schema())
EVERY_TABLE = """
schema = 1
url = "up"
track = "v*"
path = "m"
[patches]
[accepted]
[limits]
[signatures]
policy = "off"
[entry]
source = "a.py"
target = "b.py"
package = "p"
[[entry.anchors]]
name = "one"
statement = "x = 1"
[boundary]
package = "p"
symbols = "s.toml"
[contract]
expectations = "e.py"
offered = "o"
endpoints = 1
own = 1
keys = 1
"""


def accepted(text: str) -> bool:
    return jsonschema_rs.is_valid(dict(SCHEMA), tomllib.loads(text))


def properties(schema: Mapping[str, Any], place: str = "") -> Iterator[str]:
    for name, row in schema.get("properties", {}).items():
        yield place + name
        yield from properties(row, f"{place}{name}.")
        yield from properties(row.get("items", {}), f"{place}{name}.")


def test_the_schema_has_exactly_the_keys_that_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = set()
    real = Table._value

    def recording(self: Table, key: str, kind: type, said: str, default: Any) -> Any:
        place = "".join(f"{part.split(']')[0].strip('[')}." for part in self._where.split(" ")[1:] if "[" in part)
        asked.add(place + key)
        return real(self, key, kind, said, default)

    monkeypatch.setattr(Table, "_value", recording)
    parse_declaration(Project(ROOT), EVERY_TABLE, "upstream.toml")

    removed = {"boundary.roots"}  # named in a message for those who still have it
    assert asked - removed == set(properties(SCHEMA))


def test_the_declaration_of_this_project_is_accepted() -> None:
    assert accepted((ROOT / "mirror/upstream.toml").read_text(encoding="utf-8"))
    assert accepted(EVERY_TABLE)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('url = "up"\n', ""),
        ('url = "up"', 'url = ""'),
        ("schema = 1", "schema = 2"),
        ('track = "v*"', 'track = "v"'),
        ('track = "v*"', 'track = "**"'),
        ("[limits]", "[limits]\nfiles = 0"),
        ("[limits]", "[limit]"),
        ('policy = "off"', 'policy = "some"'),
        ("[patches]", '[patches]\norder = "one.patch"'),
        ('statement = "x = 1"\n', ""),
    ],
)
def test_the_schema_and_the_reader_refuse_the_same_mistakes(old: str, new: str) -> None:
    text = EVERY_TABLE.replace(old, new)
    assert text != EVERY_TABLE

    assert not accepted(text)
    with pytest.raises(ToolError):
        parse_declaration(Project(ROOT), text, "upstream.toml")
