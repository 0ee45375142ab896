"""Commands and settings of Visual Studio Code in JSON: words with quotes of their own, the folder of a module. Pure."""

from __future__ import annotations

import re
from functools import lru_cache

from ..package_names import PackageNames

_TEXT = r"\"(?:[^\"\\\n]|\\.)*\""
_QUOTING = r"\"quoting\"\s*:\s*\"\w*\""
# An object that says nothing but a word and how it is quoted: whatever else one says stays as it is.
_WORD = re.compile(rf"\{{(\s*)(?:{_QUOTING}\s*,(\s*))?\"value\"\s*:\s*({_TEXT})(\s*)(?:,\s*{_QUOTING}(\s*))?,?(\s*)\}}")
_SLASH = r"(?:/|\\{1,2})"


def with_plain_words(text: str) -> str:
    """Return a text with `"word"` for each `{"value": "word", "quoting": …}`; its lines keep their numbers."""
    return _WORD.sub(_plain, text) if '"value"' in text else text


def _plain(word: re.Match[str]) -> str:
    return word[3] + "\n" * word[0].count("\n")


@lru_cache(maxsize=8)
def module_folder_of(names: PackageNames) -> re.Pattern[str]:
    """Return the pattern of a working folder that the package, or a part of it, is imported from."""
    folders = "|".join(_SLASH.join(map(re.escape, one.split("."))) for one in names.folders) or r"(?!)"
    below = rf"(?:{_SLASH}{re.escape(names.package)}(?:{_SLASH}[^\"]*)?)?"
    return re.compile(rf"\"cwd\"\s*:\s*\"(?:[^\"]*{_SLASH})?(?:{folders}){below}{_SLASH}?\"")
