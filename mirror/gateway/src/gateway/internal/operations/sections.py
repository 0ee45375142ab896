"""Lists of API keys in config.yaml: shown, replaced, and edited entry by entry."""

from collections.abc import Mapping, Sequence

from gateway.internal.configuration.difference import Listed, list_edits
from gateway.internal.configuration.edits import Edit
from gateway.internal.configuration.fields import ENTRIES
from gateway.internal.configuration.model import Configuration
from gateway.internal.configuration.sections import Section
from gateway.internal.configuration.shapes import read_yaml, show
from gateway.internal.operations.changing import change
from gateway.internal.operations.entries import (
    Normal,
    Selector,
    check_shapes,
    entries_of,
    loaded,
    normals,
    patched,
    surviving,
    to_delete,
    to_patch,
)
from gateway.internal.runtime import Runtime

__all__ = ["Selector", "delete_entry", "list_section", "patch_entry", "replace_section"]
_INDEX = "auth-index"
_KEYS = "api-key-entries"


def list_section(runtime: Runtime, section: Section) -> list[dict[str, object]]:
    """Return the entries of a section for ``GET``, secrets included.

    Each has the ``auth-index`` of its credential; in ``openai-compatibility`` each key has, and a provider without
    keys. Disabled providers have no credentials, so no index.
    """
    indexes = {
        (credential.position, credential.key_position): credential.auth_index
        for credential in runtime.snapshot.credentials
        if credential.section is section
    }
    shown = []
    for entry in loaded(section, runtime.configuration):
        fields = show(ENTRIES[section], read_yaml(ENTRIES[section], entry.raw))
        for number, key in enumerate(fields.get(_KEYS, ())):
            key.update(_index(indexes, entry.position, number))
        shown.append(fields | _index(indexes, entry.position, -1))
    return shown


def _index(indexes: Mapping[tuple[int, int], str], position: int, number: int) -> dict[str, object]:
    index = indexes.get((position, number))
    return {_INDEX: index} if index else {}


async def replace_section(
    runtime: Runtime, section: Section, entries: Sequence[object], expect: str | None = None
) -> str:
    """Replace a section, in one write; return the new revision of config.yaml.

    Unchanged parts of the file stay: an entry is recognized by its key and base URL (a provider by its name), keeps its
    comments and unknown keys, and only its differing fields are edited. Ineffective entries (a codex key without
    ``base-url``) are hidden, and therefore not removed.

    Args:
        entries: The new entries as JSON, in order. Unknown fields, ``auth-index`` among them, are ignored.
        expect: The revision config.yaml must have.

    Raises:
        Refused: The entries have impossible values (400), or the file could not be saved (500).
        RevisionConflict: The file has another revision.
    """
    goal = entries_of(section, entries)
    return await change(runtime, lambda now: list_edits(_listed(section, now), goal), expect)


async def patch_entry(
    runtime: Runtime, section: Section, selector: Selector, patch: Mapping[str, object], expect: str | None = None
) -> str:
    """Change fields of an entry, and return the new revision of config.yaml.

    Emptying a field that the entry needs removes the entry; see ``entries.patched``.

    Raises:
        Refused: No such entry (404), a wrong value (400), or the file could not be saved (500).
        RevisionConflict: The file has another revision.
    """

    def decide(configuration: Configuration) -> Sequence[Edit]:
        entries = normals(section, configuration)
        check_shapes(section, patch)
        at = to_patch(section, entries, selector)
        entries[at] = patched(section, entries[at], patch)
        return _edits(section, configuration, entries, range(len(entries)))

    return await change(runtime, decide, expect)


async def delete_entry(runtime: Runtime, section: Section, selector: Selector, expect: str | None = None) -> str:
    """Remove an entry, and return the new revision of config.yaml. Its comments stay in the file.

    An unknown entry is an error in some sections only, as in the stock gateway.

    Raises:
        Refused: The entry is ambiguous (400), there is none (404), or the file could not be saved (500).
        RevisionConflict: The file has another revision.
    """

    def decide(configuration: Configuration) -> Sequence[Edit]:
        entries = normals(section, configuration)
        gone = set(to_delete(section, entries, selector))
        return _edits(section, configuration, entries, [at for at in range(len(entries)) if at not in gone])

    return await change(runtime, decide, expect)


def _edits(
    section: Section, configuration: Configuration, entries: Sequence[Normal], stay: Sequence[int]
) -> list[Edit]:
    """Return the edits that leave the entries at some positions, with the given values."""
    places = [entry.position for entry in loaded(section, configuration)]
    remaining = [stay[at] for at in surviving(section, [entries[at] for at in stay])]
    return list_edits(
        _listed(section, configuration), [entries[at] for at in remaining], [places[at] for at in remaining]
    )


def _listed(section: Section, configuration: Configuration) -> Listed:
    written = configuration.document.get(section.value)
    raw = written if isinstance(written, list) else []
    positions = {entry.position for entry in loaded(section, configuration)}
    hidden = frozenset(at for at in range(len(raw)) if at not in positions)
    return Listed((section.value,), ENTRIES[section], raw, hidden)
