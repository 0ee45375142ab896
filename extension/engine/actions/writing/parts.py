"""Parts of a batch: what is written at once. After each there is progress, and the batch can be canceled. Pure.

A gateway that writes atomically takes hundreds of changes in a moment. A stock gateway takes one request for each auth
file, and reloads for seconds after each section of its configuration: there a part is a few files, or one section.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from adapter.port import KeyRef
from extension.engine.actions.change_plan import PlannedChange

PART: Final = 500
"""Most changes of a part."""
FEW_FILES: Final = 20
"""Most files of a part where each is a request of its own."""
_NO_SECTION: Final = ""


def divided(wanted: Sequence[PlannedChange], *, at_once: bool) -> tuple[Sequence[PlannedChange], ...]:
    """Divide the changes of a plan; `at_once` for a gateway that writes them atomically."""
    if at_once:
        return tuple(_chunks(wanted, PART))
    # Files first: a stock gateway may write all of them anew when it reloads its configuration.
    groups: dict[str, list[PlannedChange]] = {_NO_SECTION: []}
    for entry in wanted:
        groups.setdefault(_section(entry), []).append(entry)
    return tuple(
        part
        for section, entries in groups.items()
        for part in _chunks(entries, PART if section else min(PART, FEW_FILES))
    )


def _section(entry: PlannedChange) -> str:
    listed = entry.asked.listed
    ref = None if listed is None else listed.account.ref
    return ref.section.value if isinstance(ref, KeyRef) and ref.section else _NO_SECTION


def _chunks(entries: Sequence[PlannedChange], size: int) -> Iterator[Sequence[PlannedChange]]:
    return (entries[begin : begin + size] for begin in range(0, len(entries), size))
