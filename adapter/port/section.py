"""The configuration sections that hold API keys, one row each, and the types that name a credential.

The table is the only place that knows a section: every difference between two sections is a column here, and everything
else (reading, identity, switching, families of the inspection) asks the column. The rows stand in the order in which
a stock gateway numbers equal entries, so moving a row changes ids.
"""

from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import NewType, Self

from adapter.port.table_row import TableRow

Revision = NewType("Revision", str)
"""An opaque mark of a state; equal marks mean equal states. Compare, never parse."""


class EntryShape(Enum):
    """Content of one entry of a section."""

    KEY = "one API key"
    PROVIDER = "a compatible provider, which has a name and a list of keys"


class IndexSeed(Enum):
    """Source of an entry's auth_index; an entry without a key always takes its id."""

    ADDRESS_AND_KEY = "section, base URL and key"
    ENTRY_ID = "the entry's id"


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionRow(metaclass=TableRow):
    """Facts about one section. No column has a default, so that a missing one is refused with the row."""

    provider: str
    """Provider field of the section's credentials, and the first half of their id's kind."""
    label: str
    """The gateway's label for a credential of the section; a provider with a name is labeled with that name."""
    family: str
    """Token of the inspection family that probes its accounts."""
    default_address: str | None
    """The vendor's public address; None where no public address answers a probe."""
    shape: EntryShape
    needs_base_url: bool
    """True when the gateway ignores an entry without a base URL."""
    needs_key: bool
    """True when the gateway ignores an entry without a key; otherwise a base URL is enough."""
    extended_id: bool
    """True when recent releases put proxy, prefix and headers into the id after key and base URL, and older ones only
    key and base URL; otherwise key, base URL and proxy make the id in every release."""
    index_seed: IndexSeed


class Section(StrEnum):
    """The lists of config.yaml that hold API keys; the value is the key in the file and the path's last part."""

    row: SectionRow

    def __new__(cls, key: str, row: SectionRow | None = None) -> Self:
        """Make a member of the table. Looking a section up by its key never comes here."""
        if row is None:
            raise TypeError(f"The section {key} has no SectionRow: add one.")
        member = str.__new__(cls, key)
        member._value_ = key
        member.row = row
        return member

    GEMINI = (
        "gemini-api-key",
        SectionRow(
            provider="gemini",
            label="gemini-apikey",
            family="vendor-a-apikey",
            default_address="https://generativelanguage.googleapis.com",
            shape=EntryShape.KEY,
            needs_base_url=False,
            needs_key=False,
            extended_id=True,
            index_seed=IndexSeed.ADDRESS_AND_KEY,
        ),
    )
    INTERACTIONS = (
        "interactions-api-key",
        SectionRow(
            provider="gemini-interactions",
            label="interactions-apikey",
            family="vendor-a-apikey",
            default_address="https://generativelanguage.googleapis.com",
            shape=EntryShape.KEY,
            needs_base_url=False,
            needs_key=False,
            extended_id=True,
            index_seed=IndexSeed.ADDRESS_AND_KEY,
        ),
    )
    CLAUDE = (
        "claude-api-key",
        SectionRow(
            provider="claude",
            label="claude-apikey",
            family="vendor-b-apikey",
            default_address="https://api.anthropic.com",
            shape=EntryShape.KEY,
            needs_base_url=False,
            needs_key=False,
            extended_id=True,
            index_seed=IndexSeed.ADDRESS_AND_KEY,
        ),
    )
    CODEX = (
        "codex-api-key",
        SectionRow(
            provider="codex",
            label="codex-apikey",
            family="vendor-c-apikey",
            default_address="https://api.openai.com",
            shape=EntryShape.KEY,
            needs_base_url=True,
            needs_key=False,
            extended_id=True,
            index_seed=IndexSeed.ADDRESS_AND_KEY,
        ),
    )
    XAI = (
        "xai-api-key",
        SectionRow(
            provider="xai",
            label="xai-apikey",
            family="vendor-c-apikey",
            default_address="https://api.x.ai",
            shape=EntryShape.KEY,
            needs_base_url=True,
            needs_key=False,
            extended_id=True,
            index_seed=IndexSeed.ADDRESS_AND_KEY,
        ),
    )
    COMPAT = (
        "openai-compatibility",
        SectionRow(
            provider="openai-compatibility",
            label="openai-compatibility",
            family="compat",
            default_address=None,
            shape=EntryShape.PROVIDER,
            needs_base_url=True,
            needs_key=False,
            extended_id=False,
            index_seed=IndexSeed.ADDRESS_AND_KEY,
        ),
    )
    VERTEX = (
        "vertex-api-key",
        SectionRow(
            provider="vertex",
            label="vertex-apikey",
            family="vendor-d-apikey",
            default_address=None,
            shape=EntryShape.KEY,
            needs_base_url=False,
            needs_key=True,
            extended_id=False,
            index_seed=IndexSeed.ENTRY_ID,
        ),
    )

    @property
    def holds_providers(self) -> bool:
        """True when an entry is a compatible provider, whose one switch covers all its keys."""
        return self.row.shape is EntryShape.PROVIDER


@dataclass(frozen=True, slots=True)
class FileRef:
    """An OAuth credential: its file's path relative to the gateway's auth-dir, with `/` between parts."""

    name: str


@dataclass(frozen=True, slots=True)
class KeyRef:
    """An API-key credential: the section and the gateway's id of the entry, which holds a hash of the key, not the key.

    `section` is None for a credential that lives only in the gateway's memory (no entry in the configuration).
    No verb deletes the account of a `KeyRef`.
    """

    section: Section | None
    entry_id: str


AccountRef = FileRef | KeyRef
"""Name of one account within one gateway. Ids move when a proxy, prefix or header of an entry changes; the fingerprint
stays."""
