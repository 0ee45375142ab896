"""Problems of a change whose effect is not certain, as codes with parameters, and the sentence of each."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from adapter.port.changes import Uncertain


class WriteProblem(StrEnum):
    """Code of a problem. `said` among its parameters is the text of an error; every other one is a place or number."""

    WRITE_LOST = "write_lost"
    WRITE_LOST_AND_MOVED = "write_lost_and_moved"
    ENTRY_DIFFERS = "entry_differs"
    OTHERS_DIFFER = "others_differ"
    CONTACT_LOST = "contact_lost"
    ANSWER_LOST = "answer_lost"
    NOT_READ_BACK = "not_read_back"
    NO_EFFECT = "no_effect"
    NOT_SENT = "not_sent"
    NOT_SEEN_AGAIN = "not_seen_again"


WRITE_PROBLEMS: Final[Mapping[WriteProblem, str]] = MappingProxyType(
    {
        WriteProblem.WRITE_LOST: (
            "The gateway took the change and lost it in a reload of its own: the section reads back as before. List"
            " the pool again, and switch it once more."
        ),
        WriteProblem.WRITE_LOST_AND_MOVED: (
            "The gateway took the change and lost it in a reload of its own, and when it was to be written again the"
            " account had changed. List the pool again."
        ),
        WriteProblem.ENTRY_DIFFERS: (
            "It was sent, but entry {entry} of {section} reads back differently: another client writes too, or the"
            " gateway refused it. List the pool again."
        ),
        WriteProblem.OTHERS_DIFFER: (
            "It was written, but entries of {section} that were not meant to change read back differently from those"
            " sent ({entries}): another client writes too. List the pool again."
        ),
        WriteProblem.CONTACT_LOST: (
            "It was sent and not confirmed ({said}); the section reads as before. List the pool again."
        ),
        WriteProblem.ANSWER_LOST: (
            "It was sent and not confirmed ({said}); whether it was made is not known. List the pool again."
        ),
        WriteProblem.NOT_READ_BACK: "It was sent, but could not be read back: {said}",
        WriteProblem.NO_EFFECT: "It is written, but has had no effect for {seconds} seconds. List the pool again.",
        WriteProblem.NOT_SENT: "Not sent, because of trouble: {said}",
        WriteProblem.NOT_SEEN_AGAIN: "It was written, but could not be looked at again after the others: {said}",
    }
)
"""Sentence of each code; the names in braces are its parameters."""

FOREIGN_EDITS: Final = frozenset({WriteProblem.ENTRY_DIFFERS, WriteProblem.OTHERS_DIFFER})
"""Problems that show another client writing at the same time: its edit or ours may be overwritten."""


def uncertain(problem: WriteProblem, **parameters: str | int) -> Uncertain:
    """Return the outcome of a change with that problem."""
    return Uncertain(WRITE_PROBLEMS[problem].format_map(parameters), problem.value, parameters)
