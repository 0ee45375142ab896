"""Rules by which a release lists and rewrites the labelled pool, as its sources state them.

Each row was written from `internal/config` (`Sanitize…Keys` and the fields of `Config`) and from
`normalizeOpenAICompatibilityEntry` of the management API of that release, not from an answer of its gateway.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from adapter.management.listing.sections import canonical
from adapter.port import Section
from adapter.rules.switching import ALL_MODELS
from tests.contract.labelled_pool import Expected, LabelledEntry

KEY_AND_URL = ("api-key", "base-url")
ENTRY_ID = (*KEY_AND_URL, "proxy-url", "prefix", "headers")


@dataclass(frozen=True, slots=True)
class ReleaseRule:
    """Treatment of a pool by one release."""

    merged_by: Mapping[Section, Sequence[str]] = field(default_factory=dict)
    """Fields by which a section drops all but the first of equal entries when it is loaded; without a row, none."""
    unknown: frozenset[Section] = frozenset()
    """Sections that came with a later release: none of their entries is listed."""
    rewrites: bool = True
    """Return whether a change writes the whole list, without dropped entries and without spaces around keys."""

    def listed(self, entries: Sequence[LabelledEntry]) -> list[LabelledEntry]:
        """Return the entries that the release lists, in their order."""
        seen: set[str] = set()
        listed_entries: list[LabelledEntry] = []
        for entry in entries:
            fields = self.merged_by.get(entry.section)
            mark = repr((entry.section, [entry.entry.get(name) for name in fields])) if fields else None
            if entry.section not in self.unknown and mark not in seen:
                listed_entries.append(entry)
                seen |= {mark} if mark else set()
        return listed_entries

    def stored(self, entries: Sequence[LabelledEntry], *, disabled: bool) -> dict[str, list[Any]]:
        """Return the sections as they read once every entry has been switched that has a switch of its own."""
        stored: dict[str, list[Any]] = {section.value: [] for section in Section if section not in self.unknown}
        listed = self.listed(entries)
        names = {(entry.section, entry.name) for entry in listed}
        for entry in listed if self.rewrites else entries:
            switched = disabled and entry.expected is Expected.SWITCHED and (entry.section, entry.name) in names
            stored[entry.section.value].append(canonical(self._written(entry, disabled=switched)))
        return stored

    def _written(self, labelled: LabelledEntry, *, disabled: bool) -> dict[str, Any]:
        entry = dict(labelled.entry)
        if labelled.section is not Section.COMPAT:
            return entry | ({"excluded-models": [*entry.get("excluded-models", []), ALL_MODELS]} if disabled else {})
        keys = entry.get("api-key-entries", [])
        if self.rewrites:
            keys = [{**key, "api-key": key["api-key"].strip()} for key in keys]
        return entry | {"api-key-entries": keys, "disabled": disabled}


_NO_XAI = frozenset({Section.INTERACTIONS, Section.XAI})
_OLD = ReleaseRule({Section.GEMINI: KEY_AND_URL, Section.VERTEX: KEY_AND_URL}, _NO_XAI)
_WITH_XAI = ReleaseRule({Section.GEMINI: KEY_AND_URL, Section.INTERACTIONS: KEY_AND_URL, Section.VERTEX: KEY_AND_URL})
_NEWEST = ReleaseRule({Section.GEMINI: ENTRY_ID, Section.INTERACTIONS: ENTRY_ID, Section.VERTEX: KEY_AND_URL})
STOCK_RULES: Mapping[str, ReleaseRule] = {
    "6.10.8": _OLD,
    "7.0.0": _OLD,
    "7.1.47": _OLD,
    "7.2.0": _OLD,
    "7.2.80": _WITH_XAI,
    "7.2.100": _WITH_XAI,
    "7.2.137": _WITH_XAI,
    # since v7.2.138 the fields of a Gemini entry's id tell two of them apart
    "7.2.140": _NEWEST,
}
"""Rule of each stock release by its version."""

OUR_GATEWAY = replace(_NEWEST, rewrites=False)
"""It lists as v7.2.140 does, and edits the text of config.yaml where a switch stands: the other entries stay."""
