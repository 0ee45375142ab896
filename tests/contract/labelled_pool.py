"""A pool of more than 300 entries over all families, with the expected outcome beside each entry."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

import yaml

from adapter.port import Section

PLAIN = 40
"""Ordinary entries of each section beside the special ones."""
VARIANTS: Mapping[str, Mapping[str, Any]] = {
    "another proxy": {"proxy-url": "http://127.0.0.1:9"},
    "other headers": {"headers": {"X-Team": "a"}},
    "another prefix": {"prefix": "team"},
    "patterns of the operator's": {"excluded-models": ["old-*", "tiny-*"]},
}
"""Entries with the same key and base URL, and one more field each."""


class Expected(Enum):
    """Outcome of disabling an entry, and of enabling it again."""

    SWITCHED = "switched"
    REFUSED = "refused: one switch for several keys"


@dataclass(frozen=True, slots=True)
class LabelledEntry:
    """One entry of a section with its name in this table and the expected outcome."""

    section: Section
    name: str
    entry: Mapping[str, Any]
    expected: Expected = Expected.SWITCHED
    keys: int = 1
    """Accounts that it is."""


FILES: Mapping[str, Mapping[str, Any]] = {
    **{f"claude-{number}@b.c.json": {"type": "claude", "email": f"{number}@b.c"} for number in range(6)},
    "2f1c9a52-7d43-4c1b-9a0e-0d8f6b1c2e3a.json": {"type": "codex", "email": "uuid@b.c"},
    "9b0d4e77-15c2-4f0a-8a61-55b7a3f9c001.json": {"type": "claude", "email": "uuid2@b.c"},
    "team/claude-sub@b.c.json": {"type": "claude", "email": "sub@b.c"},
    "team/b/claude-deep@b.c.json": {"type": "claude", "email": "deep@b.c"},
}
"""Auth files, two of them named by a UUID and two in subfolders; each can be switched."""


def labelled_entries(address: str) -> Iterator[LabelledEntry]:
    """Return the table; `address` is the base URL of every entry that has an ordinary one."""
    for section in Section:
        if section is Section.COMPAT:
            yield from _providers(address)
            continue
        for number in range(PLAIN):
            yield LabelledEntry(
                section, f"plain {number}", {"api-key": f"sk-{section.value}-{number:03}", "base-url": address}
            )
        for name, more in VARIANTS.items():
            yield LabelledEntry(section, name, {"api-key": f"sk-{section.value}-000", "base-url": address, **more})
        yield LabelledEntry(
            section, "same key in every section", {"api-key": "sk-in-every-section", "base-url": address}
        )
        query = {"api-key": f"sk-{section.value}-query", "base-url": f"{address}/?tenant=a"}
        yield LabelledEntry(section, "base URL with a query", query)
    for number in range(2):
        entry = {"api-key": "sk-claude-identical", "base-url": address}
        yield LabelledEntry(Section.CLAUDE, f"identical {number}", entry)


def _providers(address: str) -> Iterator[LabelledEntry]:
    models = [{"name": "demo-model", "alias": "demo-model"}]
    shared = {"base-url": f"{address}/v1", "models": models}
    for number in range(PLAIN):
        keys = [{"api-key": f"sk-provider-{number:03}"}]
        entry = {"name": f"p{number}", **shared, "api-key-entries": keys}
        yield LabelledEntry(Section.COMPAT, f"plain {number}", entry)
    in_all = [{"api-key": "sk-in-every-section"}]
    for name in ("shared-a", "shared-b"):
        yield LabelledEntry(Section.COMPAT, name, {"name": name, **shared, "api-key-entries": in_all})
    yield LabelledEntry(Section.COMPAT, "keyless", {"name": "keyless", **shared})
    yield LabelledEntry(Section.COMPAT, "blank", {"name": "blank", **shared, "api-key-entries": [{"api-key": "  "}]})
    several = [{"api-key": "sk-several-1"}, {"api-key": "sk-several-2", "proxy-url": "http://127.0.0.1:9"}]
    yield LabelledEntry(
        Section.COMPAT, "several", {"name": "several", **shared, "api-key-entries": several}, Expected.REFUSED, keys=2
    )


def labelled_config(address: str) -> dict[str, Any]:
    """Return the sections of config.yaml that hold the table, in its order, with nothing shared between entries."""
    config: dict[str, list[Any]] = {section.value: [] for section in Section}
    for entry in labelled_entries(address):
        # a copy: YAML writes a shared list as an anchor, and stock v7.1.47 saves a reference without its anchor
        config[entry.section.value].append(json.loads(json.dumps(entry.entry)))
    return dict(config)


def labelled_text(address: str) -> str:
    """Return the same sections as text, with a comment before each entry."""
    return "".join(
        f"{section}:\n" + "".join(_commented(number, entry) for number, entry in enumerate(entries))
        for section, entries in labelled_config(address).items()
    )


def _commented(number: int, entry: Any) -> str:
    return f"  # entry {number}\n" + "".join(f"  {line}\n" for line in yaml.safe_dump([entry]).splitlines())
