"""Rust records of the messages in a .proto file: the part of the language that the contract uses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

_SCALARS: Final = {
    "string": ("String", "string"),
    "bytes": ("Vec<u8>", 'bytes = "vec"'),
    "uint32": ("u32", "uint32"),
    "uint64": ("u64", "uint64"),
    "bool": ("bool", "bool"),
}
_TOKEN: Final = re.compile(r'//[^\n]*|"[^"]*"|[A-Za-z_][\w.]*|\d+|[{}=;()]')
_HEADER: Final = """\
// Written by `python -m tools native --write` from {source}.
#![allow(dead_code, missing_docs, clippy::all, clippy::pedantic)]
"""


class ProtoUnsupported(ValueError):  # noqa: N818 - the name says what is wrong
    """A part of the language that has no translation here."""


class _Field(NamedTuple):
    label: str
    kind: str
    name: str
    number: str


class _Message(NamedTuple):
    name: str
    fields: list[_Field]
    choices: dict[str, list[_Field]]


class _Enum(NamedTuple):
    name: str
    values: list[tuple[str, str]]


class _MessageReader:
    """Reads messages and enums, nested ones under their joined names; services are skipped."""

    def __init__(self, text: str) -> None:
        self._words: Iterator[str] = (word for word in _TOKEN.findall(text) if not word.startswith("//"))
        self.messages: list[_Message] = []
        self.enums: list[_Enum] = []

    def read(self) -> None:
        for word in self._words:
            if word == "message":
                self._message(next(self._words))
            elif word == "enum":
                self._enum(next(self._words))
            elif word == "service":
                self._skip_block()
            else:
                self._skip_statement()

    def _skip_statement(self) -> None:
        while next(self._words) != ";":
            pass

    def _skip_block(self) -> None:
        depth = 0
        for word in self._words:
            depth += (word == "{") - (word == "}")
            if word == "}" and not depth:
                return

    def _message(self, name: str) -> None:
        message = _Message(name, [], {})
        next(self._words)
        while (word := next(self._words)) != "}":
            if word == "message":
                self._message(name + next(self._words))
            elif word == "enum":
                self._enum(name + next(self._words))
            elif word == "oneof":
                choice = next(self._words)
                message.choices[choice] = self._choice()
            elif word == "reserved":
                self._skip_statement()
            else:
                message.fields.append(self._field(word))
        self.messages.append(message)

    def _choice(self) -> list[_Field]:
        next(self._words)
        fields = []
        while (word := next(self._words)) != "}":
            fields.append(self._field(word))
        return fields

    def _field(self, word: str) -> _Field:
        label, kind = (word, next(self._words)) if word in {"repeated", "optional"} else ("", word)
        name, equals, number, end = (next(self._words) for _ in range(4))
        if equals != "=" or end != ";" or not number.isdigit() or label == "optional":
            raise ProtoUnsupported(f"field {name!r} cannot be translated: extend tools/project/native/records.py")
        return _Field(label, kind, name, number)

    def _enum(self, name: str) -> None:
        values = []
        next(self._words)
        while (word := next(self._words)) != "}":
            _, number, _ = (next(self._words) for _ in range(3))
            values.append((word, number))
        self.enums.append(_Enum(name, values))


def rust_records(text: str, source: str) -> str:
    """Return the Rust source of every message and enum.

    Raises:
        ProtoUnsupported: the text uses more of the language than is translated.
    """
    reader = _MessageReader(text)
    reader.read()
    enums = {enum.name for enum in reader.enums}
    names = {message.name for message in reader.messages}
    parts = [_HEADER.format(source=source)]
    parts += [_message(message, names, enums) for message in reader.messages]
    parts += [_constants(enum) for enum in reader.enums]
    return "\n".join(parts)


def _message(message: _Message, names: set[str], enums: set[str]) -> str:
    lines = ["#[derive(Clone, PartialEq, prost::Message)]", f"pub struct {message.name} {{"]
    for field in message.fields:
        kind, mark = _type(field, message.name, names, enums)
        lines += [f'    #[prost({mark}, tag = "{field.number}")]', f"    pub {field.name}: {kind},"]
    for choice, fields in message.choices.items():
        tags = ", ".join(field.number for field in fields)
        lines += [f'    #[prost(oneof = "{message.name}{choice.title()}", tags = "{tags}")]']
        lines += [f"    pub {choice}: Option<{message.name}{choice.title()}>,"]
    lines += ["}", ""] if message.fields or message.choices else []
    if not message.fields and not message.choices:
        lines[-1] = f"pub struct {message.name} {{}}\n"
    for choice, fields in message.choices.items():
        lines += ["#[derive(Clone, PartialEq, prost::Oneof)]", f"pub enum {message.name}{choice.title()} {{"]
        for field in fields:
            kind, mark = _type(field, message.name, names, enums, alone=True)
            lines += [f'    #[prost({mark}, tag = "{field.number}")]', f"    {field.name.title()}({kind}),"]
        lines += ["}", ""]
    return "\n".join(lines)


def _type(field: _Field, message: str, names: set[str], enums: set[str], *, alone: bool = False) -> tuple[str, str]:
    nested = message + field.kind
    if field.kind in _SCALARS:
        kind, mark = _SCALARS[field.kind]
    elif field.kind in enums or nested in enums:
        # the numbers stand below as constants, because an enum of a newer side may hold more
        kind, mark = "i32", "int32"
    elif field.kind in names or nested in names:
        kind = nested if nested in names else field.kind
        mark = "message"
        if not field.label and not alone:
            return f"Option<{kind}>", "message, optional"
    else:
        raise ProtoUnsupported(f"type {field.kind!r} cannot be translated: extend tools/project/native/records.py")
    return (f"Vec<{kind}>", f"{mark}, repeated") if field.label else (kind, mark)


def _constants(enum: _Enum) -> str:
    return "".join(f"pub const {name}: i32 = {number};\n" for name, number in enum.values)
