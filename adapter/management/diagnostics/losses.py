"""Advice about parts of a configuration that a write through the gateway would lose. Pure."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from adapter.management.diagnostics.advice import Advice
from adapter.port import Section
from adapter.rules.lost_parts import LEGACY_KEYS, lost_parts

_KEYS: Final = "api-key-entries"
_COPY: Final = "keep a copy of the file"


def losses(
    config: Mapping[str, Any], shown: Mapping[Section, Sequence[Mapping[str, Any]]], *, rewrites: bool = True
) -> tuple[Advice, ...]:
    """Return advice about a parsed config.yaml; `shown` are the entries of each section the gateway has.

    `rewrites`: the gateway saves the whole file from memory. One that edits its text ignores such parts and keeps them.
    """
    lost = lost_parts(config, shown)
    return (
        *_dropped(lost.fields, rewrites=rewrites),
        *_legacy(lost.legacy, rewrites=rewrites),
        *_left_out(lost.left_out, rewrites=rewrites),
    )


def _dropped(fields: Sequence[str], *, rewrites: bool) -> tuple[Advice, ...]:
    if not fields:
        return ()
    loss = f"any write through it drops them from config.yaml. Upgrade the gateway, or {_COPY}."
    consequence = loss if rewrites else "they have no effect. Upgrade the gateway, or remove them."
    return (Advice("dropped_fields", f"This release does not know {', '.join(fields)}: {consequence}"),)


def _legacy(providers: Sequence[str], *, rewrites: bool) -> tuple[Advice, ...]:
    if not providers:
        return ()
    loss = ", and any write through the gateway drops it" if rewrites else ""
    names = ", ".join(providers)
    text = f"The list {LEGACY_KEYS} of {names} (openai-compatibility) is not in use{loss}: move its keys to {_KEYS}."
    return (Advice("legacy_keys", text),)


def _left_out(sections: Sequence[str], *, rewrites: bool) -> tuple[Advice, ...]:
    if not sections:
        return ()
    loss = (
        f"any write through the gateway, by whichever program, drops them from config.yaml. Correct them, or {_COPY}."
    )
    consequence = loss if rewrites else "they are not in use. Correct them, or remove them."
    text = (
        f"The gateway leaves out {', '.join(sections)}, such as those with a key and base URL that another has, or"
        f" without a base URL where one is needed: {consequence}"
    )
    return (Advice("dropped_entries", text),)
