"""Rust records of the messages in a .proto file, from the descriptors of its compiler."""

import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from google.protobuf.descriptor_pb2 import FieldDescriptorProto, FileDescriptorSet

from ..proto import compile_messages

_SCALARS: Final = {
    FieldDescriptorProto.TYPE_STRING: ("String", "string"),
    FieldDescriptorProto.TYPE_BYTES: ("Vec<u8>", 'bytes = "vec"'),
    FieldDescriptorProto.TYPE_UINT32: ("u32", "uint32"),
    FieldDescriptorProto.TYPE_UINT64: ("u64", "uint64"),
    FieldDescriptorProto.TYPE_BOOL: ("bool", "bool"),
    # The numbers stand below as constants, because an enum of a newer side may hold more.
    FieldDescriptorProto.TYPE_ENUM: ("i32", "int32"),
}
_HEADER: Final = """\
// Written by `python -m tools native` from {source}.
#![allow(dead_code, missing_docs, clippy::all, clippy::pedantic)]
"""


class ProtoUnsupported(ValueError):  # noqa: N818 - the name says what is wrong
    """A part of the language that has no translation here."""


def rust_records(file: Path) -> str:
    """Return the Rust source of every message and enum of a .proto file, nested ones under their joined names.

    Raises:
        ProtoUnsupported: the file uses more of the language than is translated.
        ToolError: it cannot be compiled.
    """
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "descriptors"
        compile_messages(file.parent, [f"--descriptor_set_out={target}"], [file])
        (content,) = FileDescriptorSet.FromString(target.read_bytes()).file
    messages, enums = list(_messages(content, "")), list(_enums(content))
    records = (_record(name, message, f".{content.package}.") for name, message in messages)
    return "\n".join([_HEADER.format(source=file.name), *records, *map(_constants, enums)])


def _messages(parent: Any, above: str) -> Iterator[tuple[str, Any]]:
    """Yield the messages of a file or a message with their joined names, the inner ones first."""
    for message in _inner(parent):
        yield from _messages(message, above + message.name)
        yield above + message.name, message


def _enums(parent: Any) -> Iterator[Any]:
    yield from parent.enum_type
    for message in _inner(parent):
        yield from _enums(message)


def _inner(parent: Any) -> Iterable[Any]:
    """Return the messages directly in a file or a message."""
    messages: Iterable[Any] = parent.message_type if hasattr(parent, "message_type") else parent.nested_type
    return messages


def _record(name: str, message: Any, package: str) -> str:
    single = [field for field in message.field if not field.HasField("oneof_index")]
    lines = ["#[derive(Clone, PartialEq, prost::Message)]"]
    if not message.field:
        return "\n".join([*lines, f"pub struct {name} {{}}\n"])
    lines.append(f"pub struct {name} {{")
    for field in single:
        kind, mark = _type(field, package)
        lines += [f'    #[prost({mark}, tag = "{field.number}")]', f"    pub {field.name}: {kind},"]
    choices: dict[str, list[Any]] = {choice.name: [] for choice in message.oneof_decl}
    for field in message.field:
        if field.HasField("oneof_index"):
            choices[message.oneof_decl[field.oneof_index].name].append(field)
    for choice, fields in choices.items():
        tags = ", ".join(str(field.number) for field in fields)
        lines += [f'    #[prost(oneof = "{name}{choice.title()}", tags = "{tags}")]']
        lines += [f"    pub {choice}: Option<{name}{choice.title()}>,"]
    lines += ["}", ""]
    for choice, fields in choices.items():
        lines += ["#[derive(Clone, PartialEq, prost::Oneof)]", f"pub enum {name}{choice.title()} {{"]
        for field in fields:
            kind, mark = _type(field, package, alone=True)
            lines += [f'    #[prost({mark}, tag = "{field.number}")]', f"    {field.name.title()}({kind}),"]
        lines += ["}", ""]
    return "\n".join(lines)


def _type(field: Any, package: str, *, alone: bool = False) -> tuple[str, str]:
    repeated = field.label == FieldDescriptorProto.LABEL_REPEATED
    if field.type in _SCALARS and not field.proto3_optional:
        kind, mark = _SCALARS[field.type]
    elif field.type == FieldDescriptorProto.TYPE_MESSAGE and not field.type_name.endswith("Entry"):
        kind, mark = field.type_name.removeprefix(package).replace(".", ""), "message"
        if not repeated and not alone:
            return f"Option<{kind}>", "message, optional"
    else:
        raise ProtoUnsupported(f"field {field.name!r} cannot be translated: extend tools/project/native/records.py")
    return (f"Vec<{kind}>", f"{mark}, repeated") if repeated else (kind, mark)


def _constants(enum: Any) -> str:
    return "".join(f"pub const {value.name}: i32 = {value.number};\n" for value in enum.value)
