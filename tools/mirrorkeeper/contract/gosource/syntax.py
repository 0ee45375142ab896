"""One Go file as its declarations, the source of routes and keys."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from tree_sitter import Node

from ...golang.nodes import below, literal, parse, text_of

_TAG = re.compile(r'(\w+):"((?:[^"\\]|\\.)*)"')

_GIN_ALIAS = re.compile(rb'^(?:import)?[ \t]*([\w.]+)[ \t]+["`]github\.com/gin-gonic/gin["`]', re.MULTILINE)


@dataclass(frozen=True)
class Parameter:
    """A parameter of a function: its name (empty when it has none) and its type as written."""

    name: str
    type: str


@dataclass(frozen=True)
class Function:
    """A function or method: receiver's name and type (empty for a function), parameters, result type, body."""

    name: str
    receiver: Parameter
    parameters: tuple[Parameter, ...]
    result: str
    body: Node
    file: GoFile


@dataclass(frozen=True)
class Field:
    """A field of a structure: name (empty when embedded), type as written, its tags by key."""

    name: str
    type: str
    tags: dict[str, str]


@dataclass
class GoFile:
    """The declarations of one file.

    Attributes:
        package: name in the package clause.
        imports: name used in the file to import path.
        functions: functions and methods.
        structures: name to fields.
        aliases: name of a type to the type it stands for or is made of, as written.
        constants: name to the expression it is set to; package-level variables too.
        variables: name of a package-level variable to its type as written.
    """

    package: str = ""
    imports: dict[str, str] = field(default_factory=dict)
    functions: list[Function] = field(default_factory=list)
    structures: dict[str, tuple[Field, ...]] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    constants: dict[str, Node] = field(default_factory=dict)
    variables: dict[str, str] = field(default_factory=dict)


def parse_file(content: bytes) -> GoFile:
    """Read a file's declarations; parts that cannot be parsed are left out, as the parser recovers."""
    file = GoFile()
    alias = _GIN_ALIAS.search(content)
    if alias is not None and alias[1] not in (b"gin", b"_", b"."):  # types are compared as they are written
        content = re.sub(rb"(?<![\w.])%b\." % alias[1], b"gin.", content)
    for node in parse(content).named_children:
        if node.type == "package_clause":
            file.package = text_of(node.named_children[0])
        elif node.type == "import_declaration":
            file.imports.update(_imports(node))
        elif node.type in ("function_declaration", "method_declaration"):
            file.functions.extend(_function(node, file))
        elif node.type == "type_declaration":
            _types(node, file)
        elif node.type in ("const_declaration", "var_declaration"):
            file.constants.update(_values(node))
            for spec in below(node, "var_spec"):
                kind = bare_type(text_of(spec.child_by_field_name("type")))
                file.variables.update({text_of(name): kind for name in spec.children_by_field_name("name")})
    return file


def bare_type(text: str) -> str:
    """A type without pointer, as `*T` and `T` are the same to us."""
    return text.strip().lstrip("*").strip()


def _imports(node: Node) -> Iterator[tuple[str, str]]:
    for spec in below(node, "import_spec"):
        path = literal(spec.child_by_field_name("path") or spec) or ""
        name = text_of(spec.child_by_field_name("name")) or _last_word(path)
        yield name, path


def _last_word(path: str) -> str:
    words = path.split("/")
    versioned = len(words) > 1 and re.fullmatch(r"v\d+", words[-1])
    return words[-2] if versioned else words[-1]


def _function(node: Node, file: GoFile) -> Iterator[Function]:
    body = node.child_by_field_name("body")
    if body is None:
        return
    receivers = list(_parameters(node.child_by_field_name("receiver")))
    yield Function(
        name=text_of(node.child_by_field_name("name")),
        receiver=receivers[0] if receivers else Parameter("", ""),
        parameters=tuple(_parameters(node.child_by_field_name("parameters"))),
        result=text_of(node.child_by_field_name("result")),
        body=body,
        file=file,
    )


def _parameters(node: Node | None) -> Iterator[Parameter]:
    for one in node.named_children if node is not None else ():
        if one.type in ("parameter_declaration", "variadic_parameter_declaration"):
            kind = bare_type(text_of(one.child_by_field_name("type"))).split("[")[0]
            names = [text_of(name) for name in one.children_by_field_name("name")]
            yield from (Parameter(name, kind) for name in names or [""])


def parameters_of(literal_function: Node) -> tuple[Parameter, ...]:
    """The parameters of a function literal."""
    return tuple(_parameters(literal_function.child_by_field_name("parameters")))


def _types(node: Node, file: GoFile) -> None:
    for spec in node.named_children:
        if spec.type not in ("type_spec", "type_alias"):
            continue
        name, kind = text_of(spec.child_by_field_name("name")), spec.child_by_field_name("type")
        if kind is not None and kind.type == "struct_type":
            file.structures[name] = tuple(_fields(kind))
        else:
            file.aliases[name] = text_of(kind)


def _fields(structure: Node) -> Iterator[Field]:
    for one in structure.named_children[0].named_children if structure.named_children else ():
        if one.type != "field_declaration":
            continue
        kind = one.child_by_field_name("type")
        written = text_of(kind)
        tag = one.child_by_field_name("tag")
        tags = dict(_TAG.findall((literal(tag) or "") if tag is not None else ""))
        names = [text_of(name) for name in one.children_by_field_name("name")]
        yield from (Field(name, written, tags) for name in names or [""])


def _values(node: Node) -> Iterator[tuple[str, Node]]:
    for kind in ("const_spec", "var_spec"):
        for spec in below(node, kind):
            value = spec.child_by_field_name("value")
            names = spec.children_by_field_name("name")
            for name, expression in zip(names, value.named_children if value is not None else (), strict=False):
                yield text_of(name), expression
