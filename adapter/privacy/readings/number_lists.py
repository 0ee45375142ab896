"""Lists of numbers, each the code of a character, in any base and any notation. Pure."""

import re
import string
from collections.abc import Iterator
from typing import Final

_NUMBER: Final = re.compile(r"[0-9a-f]+")
_FEWEST: Final = 8
_DIGITS: Final = string.digits + "abcdef"
_BASES: Final = (*range(2, 11), 16)
_CODES: Final = range(0x20, 0x7F)


def number_lists(text: str) -> Iterator[str]:
    """Yield the characters of the numbers in a text, for each base in use.

    All that stands between the numbers is ignored, and so are numbers that are no printable character: `0x73, 0x6b`,
    `[115, 107]`, `chr(0o163)` and `U+0073` are lists of one kind.
    """
    numbers = [number.lstrip("0") for number in _NUMBER.findall(text.lower()) if not number.isalpha()]
    if len(numbers) < _FEWEST:
        return
    for table in _TABLES:
        characters = [found for found in map(table.get, numbers) if found]
        if len(characters) >= _FEWEST:
            yield "".join(characters)


def _in_base(number: int, base: int) -> str:
    digits = ""
    while number:
        number, digit = divmod(number, base)
        digits = _DIGITS[digit] + digits
    return digits


_TABLES: Final = tuple({_in_base(code, base): chr(code) for code in _CODES} for base in _BASES)
