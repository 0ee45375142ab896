"""Choice of the language from the environment."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from extension.texts.catalogue import REFERENCE

VARIABLE: Final = "POOLKEEPER_LANG"
_VARIABLES: Final = (VARIABLE, "LC_ALL", "LC_MESSAGES", "LANG")
_PARTS: Final = re.compile(r"[-_.@]")


def chosen_language(environment: Mapping[str, str], known: Sequence[str]) -> str:
    """Return the known language that the first variable with a value names, or English."""
    wanted = next((environment[name] for name in _VARIABLES if environment.get(name)), "")
    tag = _PARTS.split(wanted.strip().lower())[0]
    return next((language for language in known if language.split("-")[0] == tag), REFERENCE)
