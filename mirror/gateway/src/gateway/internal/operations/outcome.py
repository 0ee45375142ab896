"""The records of a status change: the wish, and what became of it."""

from dataclasses import dataclass, field
from enum import StrEnum


class Outcome(StrEnum):
    """What became of one status change."""

    APPLIED = "applied"
    UNCHANGED = "unchanged"
    REFUSED = "refused"
    MISSING = "missing"
    CONFLICT = "conflict"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class StatusChange:
    """A wish: the named credential shall be disabled, or enabled.

    Attributes:
        name: id, file name, auth_index or base name of the id.
        auth_index: When given, the credential must have this index too.
        expect: When given, the credential's ``revision`` the caller decided upon; another one is a conflict.
        restore: When given, the state to come back to, rather than any state that is ``disabled`` or is not: to the
            character where nobody has written there since, else as near as possible (without the switch where there
            was none).
    """

    name: str
    disabled: bool
    auth_index: str = ""
    expect: str = ""
    restore: "StatusBefore | None" = None


@dataclass(frozen=True, slots=True)
class StatusBefore:
    """How the credential was before the change: enough to undo it.

    Attributes:
        written: Whether the switch was there at all: ``excluded-models`` of a key, ``disabled`` of anything else.
        back: What the gateway needs to put back the very characters that were there, as one word; empty where it
            cannot. It holds positions and words of a switch (``true``, ``excluded-models``, ``*``, …), never a comment.
    """

    disabled: bool
    excluded_models: tuple[str, ...] = ()
    written: bool = True
    back: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class StatusResult:
    """The answer to one change, in the order of the input.

    Attributes:
        status: HTTP status of the management answer.
        error: Text of the management answer's ``error``; empty when it went well.
        code: Slug of a refusal: ``multi_key_provider``, ``ambiguous``, ``virtual``, …; empty when it went well.
        before: State before the change; None when no credential was found.
        revision: The credential's revision after the change; empty when it is gone or was not found.
        via: ``config:excluded-models`` when a key was switched through its excluded models, else empty.
        excluded_pattern: ``*`` in that case, else empty.
    """

    outcome: Outcome
    disabled: bool
    status: int = 200
    error: str = ""
    code: str = ""
    credential_id: str = ""
    before: StatusBefore | None = None
    revision: str = ""
    via: str = ""
    excluded_pattern: str = ""
