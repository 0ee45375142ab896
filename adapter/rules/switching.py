"""The decision on a status change: the fields to write. Pure.

- an auth file: `disabled` in the file;
- an entry of a key section: `*` in its `excluded-models`, and only that pattern: those of the operator stay;
- a compatible provider with fewer than two non-empty keys: `disabled` of the provider;
- a compatible provider with two or more: nothing, it is refused.

An undo restores the state before: the order of the patterns, and a switch that was not there is gone again.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from adapter.port.accounts import NoSwitchCode, Switch
from adapter.port.changes import Before, Change, Refused
from adapter.port.section import AccountRef

ALL_MODELS: Final = "*"
"""The pattern that excludes every model, and so switches an entry off."""

SEVERAL_KEYS: Final = "several_keys"
"""Code of the refusal for a provider with two or more keys."""

NOT_SWITCHABLE: Final = "not_switchable"
"""Code of the refusal for an account that has no switch at all."""

_TWO: Final = 2


def is_off(patterns: Iterable[str]) -> bool:
    """Return whether an entry with these excluded models is switched off."""
    return any(pattern.strip() == ALL_MODELS for pattern in patterns)


def excluded_models(
    patterns: Sequence[str], *, disabled: bool, restore: Before | None = None
) -> tuple[str, ...] | None:
    """The excluded models to write so that an entry is off or on; None when it is so already.

    Off adds `*` at the end; on removes every `*` and nothing else. A state to be restored is taken as it was, unless
    its other patterns are not those of now.
    """
    if is_off(patterns) == disabled:
        return None
    others = _others(patterns)
    if restore is not None and restore.disabled == disabled and _others(restore.excluded_models) == others:
        return restore.excluded_models
    return (*patterns, ALL_MODELS) if disabled else others


def _others(patterns: Iterable[str]) -> tuple[str, ...]:
    return tuple(pattern for pattern in patterns if pattern.strip() != ALL_MODELS)


def drops_switch(change: Change) -> bool:
    """Return whether a change that enables shall leave no switch behind, because there was none before."""
    return change.restore is not None and not change.disabled and not change.restore.written


def usable_keys(keys: Iterable[str]) -> int:
    """Return the number of a compatible provider's keys that are not blank."""
    return sum(1 for key in keys if key.strip())


def switch_code(keys: Iterable[str], *, stock: bool = False) -> NoSwitchCode:
    """Return the code of the reason why a compatible provider has no switch, or nothing where it has one."""
    if usable_keys(keys) >= _TWO:
        return SEVERAL_KEYS
    return "stock_profile" if stock else ""


def provider_switch(name: str, keys: Iterable[str]) -> tuple[Switch, str]:
    """Return the switch of a compatible provider's account, with the reason if it has none."""
    count = usable_keys(keys)
    if count < _TWO:
        return Switch.PROVIDER, ""
    return Switch.NONE, (
        f"The provider {name} has {count} keys and one switch for all of them: manage it in the provider settings "
        "(openai-compatibility)."
    )


def refusal(switch: Switch, reason: str, keys: Iterable[str] = ()) -> Refused | None:
    """Return the refusal of a switch that cannot be written, or None. `keys` are those of its compatible provider."""
    if switch is not Switch.NONE:
        return None
    code = SEVERAL_KEYS if usable_keys(keys) >= _TWO else NOT_SWITCHABLE
    return Refused(code, reason or "This account cannot be switched from here.")


def ambiguous(count: int) -> Refused:
    """The outcome of a change whose name means several accounts."""
    text = f"The name means {count} accounts: list the pool again and name one of them."
    return Refused("ambiguous", text, {"count": count})


@dataclass(frozen=True, slots=True)
class Batch:
    """A batch in which every ref occurs once: `changes`, and for each change of the input its place in them."""

    changes: tuple[Change, ...]
    places: tuple[int, ...]


def last_wins(changes: Sequence[Change]) -> Batch:
    """Reduce a batch to the last change of each ref, in the order in which the refs first occur."""
    last: dict[AccountRef, Change] = {}
    for change in changes:
        last[change.ref] = change
    places = {ref: place for place, ref in enumerate(last)}
    return Batch(tuple(last.values()), tuple(places[change.ref] for change in changes))
