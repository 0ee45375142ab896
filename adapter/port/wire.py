"""Records as JSON values and back, so that a transport between two processes can carry them.

Every dataclass becomes an object that names its type under `@`; tuples and frozen sets become arrays, enum members
their values, a `Secret` its clear text under `@`: encode only for a transport, never for a log or an answer.
"""

import dataclasses
import types
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Literal, NewType, TypeAlias, TypeVar, Union, get_args, get_origin, get_type_hints

from adapter.privacy.secret import Secret

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
"""Anything JSON can say."""

TAG = "@"
"""The member that names a record's type."""

T = TypeVar("T")


class WireError(ValueError):
    """A JSON value is not the record that was expected; the text says where."""


def encode(value: object) -> Json:
    """Turn a record, or anything made of records, into a JSON value.

    Raises:
        WireError: `value` holds something that is no part of a record.
    """
    if isinstance(value, StrEnum):
        return value.value
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Secret):
        return {TAG: "Secret", "text": value.reveal()}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {field.name: encode(getattr(value, field.name)) for field in dataclasses.fields(value)}
        return {TAG: type(value).__name__, **fields}
    if isinstance(value, tuple | frozenset):
        return [encode(item) for item in (sorted(value) if isinstance(value, frozenset) else value)]
    if isinstance(value, Mapping):
        return {str(key): encode(item) for key, item in value.items()}
    raise WireError(f"A {type(value).__name__} is no part of a record.")


def decode(expected: type[T], value: Json) -> T:
    """Turn a JSON value back into `expected`.

    Raises:
        WireError: the value is not what `expected` says.
    """
    result: T = _decode(expected, value, expected.__name__)
    return result


def decode_any(expected: Any, value: Json) -> Any:
    """Turn a JSON value back into `expected`, which may be a union such as `Outcome` or `Admission`.

    Raises:
        WireError: the value is not what `expected` says.
    """
    return _decode(expected, value, "value")


def _decode(expected: Any, value: Json, where: str) -> Any:
    if isinstance(expected, NewType):
        return _decode(expected.__supertype__, value, where)
    origin = get_origin(expected)
    if origin is Union or origin is types.UnionType:
        return _decode_union(get_args(expected), value, where)
    if origin is not None:
        return _decode_generic(origin, get_args(expected), value, where)
    if expected is Secret:
        return _decode_secret(value, where)
    if dataclasses.is_dataclass(expected):
        return _decode_record(expected, value, where)
    return _decode_plain(expected, value, where)


def _decode_generic(origin: Any, arguments: tuple[Any, ...], value: Json, where: str) -> Any:
    if origin is Literal:
        if value not in arguments:
            raise WireError(f"{where}: {value!r} is none of {arguments!r}.")
        return value
    if isinstance(origin, type) and issubclass(origin, tuple | frozenset):
        if not isinstance(value, list):
            raise WireError(f"{where}: an array was expected.")
        return origin(_decode(arguments[0], item, f"{where}[{index}]") for index, item in enumerate(value))
    if isinstance(origin, type) and issubclass(origin, Mapping):
        if not isinstance(value, dict):
            raise WireError(f"{where}: an object was expected.")
        return {key: _decode(arguments[1], item, f"{where}.{key}") for key, item in value.items()}
    raise WireError(f"{where}: {origin!r} is no part of a record.")


def _decode_union(members: tuple[Any, ...], value: Json, where: str) -> Any:
    if value is None and type(None) in members:
        return None
    records = {_name(member): member for member in members if dataclasses.is_dataclass(member) or member is Secret}
    if isinstance(value, dict):
        tag = value.get(TAG)
        if isinstance(tag, str) and tag in records:
            return _decode(records[tag], value, where)
        raise WireError(f"{where}: {tag!r} is none of {sorted(records)}.")
    for member in members:
        if member is not type(None) and _name(member) not in records:
            return _decode(member, value, where)
    raise WireError(f"{where}: one of {sorted(records)} was expected.")


def _decode_record(expected: Any, value: Json, where: str) -> Any:
    if not isinstance(value, dict) or value.get(TAG) != _name(expected):
        raise WireError(f"{where}: a {_name(expected)} was expected.")
    hints = get_type_hints(expected)
    given = {name: item for name, item in value.items() if name != TAG}
    unknown = given.keys() - hints.keys()
    if unknown:
        raise WireError(f"{where}: {sorted(unknown)} are no fields of {_name(expected)}.")
    fields = {name: _decode(hints[name], item, f"{where}.{name}") for name, item in given.items()}
    try:
        return expected(**fields)
    except TypeError as error:
        raise WireError(f"{where}: {error}.") from error


def _decode_secret(value: Json, where: str) -> Secret:
    text = value.get("text") if isinstance(value, dict) and value.get(TAG) == "Secret" else None
    if not isinstance(text, str):
        raise WireError(f"{where}: a Secret was expected.")
    return Secret(text)


def _decode_plain(expected: Any, value: Json, where: str) -> Any:
    if isinstance(expected, type) and issubclass(expected, StrEnum):
        try:
            return expected(str(value))
        except ValueError as error:
            raise WireError(f"{where}: {error}.") from error
    if expected is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if not isinstance(value, expected) or (expected is int and isinstance(value, bool)):
        raise WireError(f"{where}: {getattr(expected, '__name__', expected)} was expected.")
    return value


def _name(member: Any) -> str:
    return str(getattr(member, "__name__", member))
