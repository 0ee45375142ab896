"""Hints by which people tell accounts apart."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Hints:
    """Masked key (`sk-a…9f3c`) and place in the configuration (`claude-api-key[5]`), both empty for OAuth files."""

    key_hint: str = ""
    place: str = ""
