"""A change of an account's status, and its outcome."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from adapter.port.section import AccountRef, Revision


@dataclass(frozen=True, slots=True)
class Before:
    """The state a change found, enough to restore it."""

    disabled: bool
    excluded_models: tuple[str, ...] = ()
    """The entry's patterns before, in their order, `*` included; empty for files and compatible providers."""
    written: bool | None = None
    """True when the switch was there at all: `excluded-models` of an entry, `disabled` of a file or a compatible
    provider. None: not known of this gateway."""
    back: str = field(default="", repr=False, compare=False)
    """The gateway's own undo token, which puts the very bytes back; it holds places and words of a switch, no comment
    and no key. Empty where it cannot (`Capability.EXACT_RESTORE`), or would have to hold more."""


@dataclass(frozen=True, slots=True)
class Change:
    """Switch one account off (`disabled=True`) or on."""

    ref: AccountRef
    disabled: bool
    expect: Revision | None = None
    """The account's revision seen before its probe. None: any state, for a person's own decision."""
    restore: Before | None = None
    """The state that the change to be taken back found; its `disabled` is the one asked for. None: any state that is
    disabled, or is not."""


@dataclass(frozen=True, slots=True)
class Applied:
    """It was written, took effect and was read back."""

    before: Before
    revision: Revision
    """The account's revision after it; for an account the change hid, the one it has in the next listing."""
    twin: str = ""
    """Place of an earlier entry with the same key and base URL, such as `claude-api-key[0]`, that the gateway goes by
    in place of this one and that is in the other state: until it is switched too, nothing changes in use."""


@dataclass(frozen=True, slots=True)
class Unchanged:
    """The account was already as asked; nothing was written."""


@dataclass(frozen=True, slots=True)
class Refused:
    """The change is not allowed, or the gateway refused it; nothing was written for it.

    `code` is a slug for programs (`several_keys`, `not_switchable`, or the gateway's own), `text` one line for people;
    `parameters` are those of a refusal of ours, and empty where the gateway refused.
    """

    code: str
    text: str
    parameters: Mapping[str, str | int] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Conflict:
    """The account changed since `Change.expect`; `now` is its revision, nothing was written."""

    now: Revision


@dataclass(frozen=True, slots=True)
class Missing:
    """No account answers to any candidate name any more."""


@dataclass(frozen=True, slots=True)
class Uncertain:
    """Contact was lost, or the read-back differs: `why` has the details. List again before deciding anything.

    `code` with its parameters is a `WriteProblem`; empty where `why` is what the gateway said.
    """

    why: str
    code: str = ""
    parameters: Mapping[str, str | int] = field(default_factory=dict, hash=False)


Outcome = Applied | Unchanged | Refused | Conflict | Missing | Uncertain
"""Outcome of one change."""
