"""The configuration sections that hold API keys, and the types that name a credential."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NewType

Revision = NewType("Revision", str)
"""An opaque mark of a state; equal marks mean equal states. Compare, never parse."""


class Section(StrEnum):
    """The seven lists of config.yaml that hold API keys; the value is the key in the file and the path's last part."""

    COMPAT = "openai-compatibility"
    GEMINI = "gemini-api-key"
    INTERACTIONS = "interactions-api-key"
    CLAUDE = "claude-api-key"
    CODEX = "codex-api-key"
    XAI = "xai-api-key"
    VERTEX = "vertex-api-key"


@dataclass(frozen=True, slots=True)
class FileRef:
    """An OAuth credential: its file's path relative to the gateway's auth-dir, with `/` between parts."""

    name: str


@dataclass(frozen=True, slots=True)
class KeyRef:
    """An API-key credential: the section and the gateway's id of the entry, which holds a hash of the key, not the key.

    `section` is None for a credential that lives only in the gateway's memory (no entry in the configuration).
    There is no verb that deletes what a `KeyRef` names.
    """

    section: Section | None
    entry_id: str


AccountRef = FileRef | KeyRef
"""What names one account within one gateway. Ids move when a proxy, prefix or header of an entry changes; what stays
is the fingerprint."""
