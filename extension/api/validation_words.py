"""Words for a field that does not fit: what is wanted, instead of a pattern or the words of a parser."""

from collections.abc import Mapping
from typing import Any, Final

_WORDS: Final[Mapping[str, str]] = {
    "missing": "it is missing",
    "int_parsing": "a whole number is needed",
    "int_type": "a whole number is needed",
    "int_from_float": "a whole number is needed",
    "int_parsing_size": "the number is too large",
    "float_parsing": "a number is needed",
    "float_type": "a number is needed",
    "bool_parsing": "true or false is needed",
    "bool_type": "true or false is needed",
    "string_type": "a text is needed",
    "list_type": "a list is needed",
    "dict_type": "an object is needed",
    "string_too_long": "at most {max_length} characters are allowed",
    "string_too_short": "at least {min_length} characters are needed",
    "too_long": "at most {max_length} entries are allowed",
    "too_short": "at least {min_length} entries are needed",
    "greater_than_equal": "at least {ge} is needed",
    "greater_than": "more than {gt} is needed",
    "less_than_equal": "at most {le} is allowed",
    "less_than": "less than {lt} is needed",
    "enum": "it is one of {expected}",
    "literal_error": "it is one of {expected}",
    "date_from_datetime_parsing": "a date such as 2026-11-25 is needed",
    "date_parsing": "a date such as 2026-11-25 is needed",
}
_FORMS: Final[Mapping[str, str]] = {
    "amount": "an amount in US dollars such as 0.15 is needed, from 0 to 1000000",
    "requestId": "1 to 15 hexadecimal digits are needed",
    "digest": "a whole number of 64 bits is needed",
}
"""Forms of texts that have a pattern, by the name of the field."""
_UNFIT: Final = "it does not have the allowed form"


def validation_words(detail: Mapping[str, Any]) -> str:
    """Phrase an error of the validation."""
    kind = str(detail["type"])
    if kind == "string_pattern_mismatch":
        return _FORMS.get(str(detail["loc"][-1]), _UNFIT)
    words = _WORDS.get(kind)
    if words is None:
        message = str(detail["msg"])
        return f"{message[:1].lower()}{message[1:]}"
    return words.format_map({name: str(value) for name, value in detail.get("ctx", {}).items()})
