"""Shapes of values: one normal form for JSON and YAML, and its JSON representation.

The normal form of an object omits fields whose value is the zero of their type, unless the field is optional, where
absent and zero differ. So two spellings of an entry have the same normal form.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from gateway.internal.configuration.scalars import as_boolean, written


class WrongShape(Exception):  # noqa: N818 - it is always translated
    """A value has another shape; ``str()`` names the field."""


@dataclass(frozen=True, slots=True)
class Text:
    """A string; its zero is the empty one."""


@dataclass(frozen=True, slots=True)
class Number:
    """A whole number; its zero is 0."""


@dataclass(frozen=True, slots=True)
class Switch:
    """A boolean; its zero is false."""


@dataclass(frozen=True, slots=True)
class TextMap:
    """An object of strings; its zero is the empty one."""


@dataclass(frozen=True, slots=True)
class ListOf:
    """A list; its zero is the empty one."""

    item: "Shape"


@dataclass(frozen=True, slots=True)
class Structure:
    """An object with known fields; others are ignored when reading."""

    fields: "tuple[Field, ...]"

    def field(self, name: str) -> "Field | None":
        return next((field for field in self.fields if field.name == name), None)


Shape: TypeAlias = Text | Number | Switch | TextMap | ListOf | Structure


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a structure.

    Attributes:
        name: Its key in config.yaml.
        shape: Shape of its value.
        always: Shown in answers also when it is empty.
        optional: Absent and zero differ; an object is always optional.
        patchable: ``PATCH`` can change it.
        json_name: Its key in JSON where that differs.
        tidy: Normalizes its value.
    """

    name: str
    shape: Shape
    always: bool = False
    optional: bool = False
    patchable: bool = False
    json_name: str = ""
    tidy: Callable[[Any], Any] | None = None

    @property
    def wire(self) -> str:
        return self.json_name or self.name

    @property
    def stays(self) -> bool:
        """Return whether its key stays in config.yaml also when it is empty."""
        return self.always and not isinstance(self.shape, Switch)


def read_json(shape: Shape, value: object) -> Any:
    """Normalize a JSON value, read as Go reads it: null is zero, keys match in any case.

    Raises:
        WrongShape: It contains a value of another type.
    """
    if value is None:
        return zero(shape)
    match shape:
        case Text() if isinstance(value, str):
            return value
        case Switch() if isinstance(value, bool):
            return value
        case Number() if isinstance(value, int) and not isinstance(value, bool):
            return value
    return _members(shape, value, read_json, _json_fields)


def _members(
    shape: Shape,
    value: object,
    read: Callable[[Shape, object], Any],
    fields: Callable[[Structure, Mapping[str, object]], dict[str, Any]],
) -> Any:
    """Normalize a list or object, its members with ``read``, its fields with ``fields``."""
    match shape:
        case TextMap() if isinstance(value, dict):
            return {written(name) or "": read(Text(), item) for name, item in value.items()}
        case ListOf() if isinstance(value, list):
            return [read(shape.item, item) for item in value]
        case Structure() if isinstance(value, dict):
            return fields(shape, value)
    raise WrongShape(f"a {type(value).__name__}")


def _json_fields(shape: Structure, value: Mapping[str, object]) -> dict[str, Any]:
    folded = {name.lower(): item for name, item in value.items()}
    result: dict[str, Any] = {}
    for field in shape.fields:
        raw = value[field.wire] if field.wire in value else folded.get(field.wire)
        if raw is None:
            continue
        try:
            _put(result, field, read_json(field.shape, raw))
        except WrongShape as wrong:
            raise WrongShape(f"{field.name}: {wrong}") from None
    return result


def read_yaml(shape: Shape, value: object) -> Any:
    """Normalize a value of config.yaml; fields of the wrong type are omitted.

    Raises:
        WrongShape: The value itself has another type.
    """
    if value is None:
        return zero(shape)
    match shape:
        case Text():
            text = written(value)
            if text is not None:
                return text
        case Switch():
            switch = as_boolean(value)
            if switch is not None:
                return switch
        case Number() if isinstance(value, int) and not isinstance(value, bool):
            return int(value)
    return _members(shape, value, read_yaml, _yaml_fields)


def _yaml_fields(shape: Structure, value: Mapping[str, object]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for field in shape.fields:
        raw = value.get(field.name)
        if raw is None:
            continue
        try:
            _put(result, field, read_yaml(field.shape, raw))
        except WrongShape:  # the loader refuses what matters; anything else is the operator's, and is left alone
            continue
    return result


def _put(result: dict[str, Any], field: Field, value: Any) -> None:
    if field.tidy is not None:
        value = field.tidy(value)
    if field.optional or isinstance(field.shape, Structure) or value != zero(field.shape):
        result[field.name] = value


def zero(shape: Shape) -> Any:
    """Return the value of a shape when absent."""
    match shape:
        case Text():
            return ""
        case Number():
            return 0
        case Switch():
            return False
        case ListOf():
            return []
        case TextMap() | Structure():
            return {}


def show(shape: Shape, value: Any) -> Any:
    """Return the JSON of a normal form: fields in their order, lists that are always shown null when empty."""
    match shape:
        case ListOf():
            return [show(shape.item, item) for item in value]
        case Structure():
            shown: dict[str, Any] = {}
            for field in shape.fields:
                if field.name in value:
                    shown[field.wire] = show(field.shape, value[field.name])
                elif field.always:
                    shown[field.wire] = None if isinstance(field.shape, ListOf) else zero(field.shape)
            return shown
        case _:
            return value
