"""The catalogue of one language, as the service and the terminal read it, and the choice of a language."""

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

from extension.texts import CATALOGUES

REFERENCE: Final = "en"
"""Language of the reference, in which the service itself phrases its answers."""
VARIABLE: Final = "POOLKEEPER_LANG"
_VARIABLES: Final = (VARIABLE, "LC_ALL", "LC_MESSAGES", "LANG")
_TAG_PARTS: Final = re.compile(r"[-_.@]")
_PLACEHOLDER: Final = re.compile(r"\{(\w+)\}")

Parameter = str | int
"""Value of a placeholder; a number gets separators of thousands, and `n` chooses the plural form."""
_Entry = str | Mapping[str, str]


class Catalogue:
    """Texts of one language by key, `group.name`."""

    def __init__(self, language: str, groups: Mapping[str, Mapping[str, _Entry]]) -> None:
        self.language = language
        self._entries = {f"{group}.{name}": entry for group, texts in groups.items() for name, entry in texts.items()}

    def text(self, key: str, **parameters: Parameter) -> str:
        """Return the text of a key with its parameters.

        Raises:
            KeyError: the catalogue has no such text.
        """
        entry = self._entries[key]
        return _filled(entry if isinstance(entry, str) else _form(entry, parameters.get("n")), parameters)

    def template(self, key: str) -> str:
        """Return the text of a key that has no plural forms, without its parameters; `KeyError` where there is none."""
        return str(self._entries[key])

    def keys(self, *groups: str) -> tuple[str, ...]:
        """Return the keys of groups."""
        return tuple(key for key in self._entries if key.partition(".")[0] in groups)

    def has(self, key: str) -> bool:
        """Return whether there is a text of a key."""
        return key in self._entries


@cache
def languages() -> tuple[str, ...]:
    """Return the tags of all languages."""
    return tuple(sorted(path.stem for path in CATALOGUES.glob("*.json")))


@cache
def catalogue(language: str) -> Catalogue:
    """Read the catalogue of a language."""
    return Catalogue(language, json.loads((CATALOGUES / f"{language}.json").read_text("utf-8")))


def chosen_language(environment: Mapping[str, str], known: Sequence[str]) -> str:
    """Return the known language that the first variable with a value names, or English."""
    value = next((environment[name] for name in _VARIABLES if environment.get(name)), "")
    tag = _TAG_PARTS.split(value.strip().lower())[0]
    return next((language for language in known if language.split("-")[0] == tag), REFERENCE)


def _form(forms: Mapping[str, str], number: Parameter | None) -> str:
    """Choose a plural form: English and Chinese need no other category than `one` and `other`."""
    return forms.get("one", forms["other"]) if number == 1 else forms["other"]


def _filled(template: str, parameters: Mapping[str, Parameter]) -> str:
    def value(match: re.Match[str]) -> str:
        parameter = parameters.get(match[1], match[0])
        return f"{parameter:,}" if isinstance(parameter, int) else parameter

    return _PLACEHOLDER.sub(value, template)
