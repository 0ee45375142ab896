"""Reasons for a field that does not fit: what is wanted, instead of a pattern or the words of a parser."""

from collections.abc import Mapping
from typing import Any, Final

from extension.reasons.codes import ReasonCode as Code
from extension.reasons.reason import Parameter, Reason

_CODES: Final[Mapping[str, Code]] = {
    "missing": Code.FIELD_MISSING,
    "int_parsing": Code.FIELD_NO_WHOLE_NUMBER,
    "int_type": Code.FIELD_NO_WHOLE_NUMBER,
    "int_from_float": Code.FIELD_NO_WHOLE_NUMBER,
    "int_parsing_size": Code.FIELD_TOO_LARGE,
    "float_parsing": Code.FIELD_NO_NUMBER,
    "float_type": Code.FIELD_NO_NUMBER,
    "finite_number": Code.FIELD_NO_NUMBER,
    "bool_parsing": Code.FIELD_NO_SWITCH,
    "bool_type": Code.FIELD_NO_SWITCH,
    "string_type": Code.FIELD_NO_TEXT,
    "string_unicode": Code.FIELD_NO_TEXT,
    "invalid_key": Code.FIELD_NO_TEXT,
    "list_type": Code.FIELD_NO_LIST,
    "dict_type": Code.FIELD_NO_OBJECT,
    "model_type": Code.FIELD_NO_OBJECT,
    "model_attributes_type": Code.FIELD_NO_OBJECT,
    "date_type": Code.FIELD_NO_DATE,
    "date_parsing": Code.FIELD_NO_DATE,
    "date_from_datetime_parsing": Code.FIELD_NO_DATE,
    "date_from_datetime_inexact": Code.FIELD_NO_DATE,
}
_BOUNDS: Final[Mapping[str, tuple[Code, str]]] = {
    "string_too_long": (Code.FIELD_TOO_LONG, "max_length"),
    "string_too_short": (Code.FIELD_TOO_SHORT, "min_length"),
    "too_long": (Code.FIELD_TOO_MANY, "max_length"),
    "too_short": (Code.FIELD_TOO_FEW, "min_length"),
    "greater_than_equal": (Code.FIELD_AT_LEAST, "ge"),
    "greater_than": (Code.FIELD_ABOVE, "gt"),
    "less_than_equal": (Code.FIELD_AT_MOST, "le"),
    "less_than": (Code.FIELD_BELOW, "lt"),
}
"""Code and name of the bound for each kind of error of the validator that has one."""
_CHOICES: Final = frozenset({"enum", "literal_error"})
_PATTERN: Final = "string_pattern_mismatch"
_ONE: Final = 1


def field_flaw(field: str, detail: Mapping[str, Any], pattern: Code = Code.FIELD_UNFIT) -> Reason:
    """Return the reason for an error of the validator; `pattern` is the code for text without the wanted form."""
    code, parameters = _flaw(str(detail["type"]), str(detail["msg"]), detail.get("ctx", {}), pattern)
    return Reason(code, {"field": field, **parameters})


def _flaw(kind: str, message: str, context: Mapping[str, Any], pattern: Code) -> tuple[Code, Mapping[str, Parameter]]:
    if kind in _CODES:
        return _CODES[kind], {}
    if kind in _BOUNDS:
        code, name = _BOUNDS[kind]
        bound = context[name]
        if code in {Code.FIELD_TOO_SHORT, Code.FIELD_TOO_FEW} and bound == _ONE:
            return Code.FIELD_EMPTY, {}
        return code, {"bound": bound if isinstance(bound, int) else str(bound)}
    if kind in _CHOICES:
        return Code.FIELD_NO_CHOICE, {"names": _names(str(context["expected"]))}
    if kind == _PATTERN:
        return pattern, {}
    return Code.FIELD_REFUSED, {"said": f"{message[:1].lower()}{message[1:]}".rstrip(".")}


def _names(expected: str) -> str:
    """Return the alternatives of the validator without its quotes and its last word."""
    return expected.replace("'", "").replace(" or ", ", ")
