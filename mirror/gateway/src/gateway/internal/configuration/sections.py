"""The seven lists of config.yaml that hold API keys, and their differences.

Everything that depends on a section's name is in this table; no other module contains one.
"""

from dataclasses import dataclass
from enum import StrEnum


class Section(StrEnum):
    """A top-level key of config.yaml for a list of credentials."""

    GEMINI = "gemini-api-key"
    INTERACTIONS = "interactions-api-key"
    CLAUDE = "claude-api-key"
    CODEX = "codex-api-key"
    XAI = "xai-api-key"
    COMPAT = "openai-compatibility"
    VERTEX = "vertex-api-key"


@dataclass(frozen=True, slots=True)
class SectionFacts:
    """Rules by which entries of a section become credentials.

    Attributes:
        provider: Provider field of the credentials (compat: only the fallback for a missing name).
        kind: First part of the credential ids (compat: completed with the provider's name).
        label: Display label (compat: the provider's name instead).
        source: Name inside the ``source`` attribute ``config:<source>[<hash>]``.
        index_prefix: Seed prefix of ``auth_index``; empty where the index is derived from the id.
        needs_base_url: Entries without ``base-url`` are dropped at load.
        needs_key: Entries without ``api-key`` are dropped at load.
        keeps_empty: Entries without either stay in the list, although they are no credentials.
    """

    provider: str
    kind: str
    label: str
    source: str
    index_prefix: str
    needs_base_url: bool = False
    needs_key: bool = False
    keeps_empty: bool = False


SECTIONS: dict[Section, SectionFacts] = {
    Section.GEMINI: SectionFacts("gemini", "gemini:apikey", "gemini-apikey", "gemini", "gemini-api-key"),
    Section.INTERACTIONS: SectionFacts(
        "gemini-interactions",
        "gemini-interactions:apikey",
        "interactions-apikey",
        "interactions",
        "interactions-api-key",
    ),
    Section.CLAUDE: SectionFacts(
        "claude", "claude:apikey", "claude-apikey", "claude", "claude-api-key", keeps_empty=True
    ),
    Section.CODEX: SectionFacts("codex", "codex:apikey", "codex-apikey", "codex", "codex-api-key", needs_base_url=True),
    Section.XAI: SectionFacts("xai", "xai:apikey", "xai-apikey", "xai", "xai-api-key", needs_base_url=True),
    Section.COMPAT: SectionFacts(
        "openai-compatibility",
        "openai-compatibility",
        "openai-compatibility",
        "openai-compatibility",
        "openai-compatibility",
        needs_base_url=True,
    ),
    Section.VERTEX: SectionFacts("vertex", "vertex:apikey", "vertex-apikey", "vertex-apikey", "", needs_key=True),
}
"""Sections in the order in which their credentials are made (compat before vertex)."""
