"""The `[entry]` table of `upstream.toml`: source, target, anchors, inserted lines. Read strictly."""

from __future__ import annotations

from typing import NamedTuple

from ..errors import ToolError
from ..toml.table import Table

GO_SUFFIX = ".go"


class Anchor(NamedTuple):
    """A statement the source must have exactly once.

    Attributes:
        name: its name in messages.
        statement: its Python text; layout and comments do not count, only the syntax tree.
        insert_after: lines put after the statement, in its indentation; may be empty.
        replacement: lines put in its place; empty keeps it. An anchor with neither is only asserted.
        function: the function it must stand in, dotted where functions or classes are nested; empty does not ask.
        under: the conditions, loops and other blocks it stands under, from the outside in, as findings show them;
            `async def` and `generator` for functions that a call alone does not run.
    """

    name: str
    statement: str
    insert_after: str = ""
    replacement: str = ""
    function: str = ""
    under: tuple[str, ...] = ()


class EntryDeclaration(NamedTuple):
    """Settings of the generated entry.

    Attributes:
        source: path of the entry point within the mirrored folder.
        target: path of the generated file, relative to the project.
        package: package the source belongs to; its relative imports are resolved against it. None for Go.
        imports: import statements put after the source's own; import specs for Go.
        header: more comment lines of the generated file, such as lint exemptions.
        anchors: in the order messages name them.
    """

    source: str
    target: str
    package: str
    imports: tuple[str, ...]
    header: tuple[str, ...]
    anchors: tuple[Anchor, ...]


def read_entry(table: Table) -> EntryDeclaration:
    """Read the table.

    Raises:
        ToolError: a key is missing, unknown or of the wrong type.
    """
    source = table.text("source")
    declaration = EntryDeclaration(
        source=source,
        target=table.text("target"),
        package=table.text("package", "") if source.endswith(GO_SUFFIX) else table.text("package"),
        imports=table.texts("imports"),
        header=table.texts("header"),
        anchors=tuple(_read_anchor(anchor) for anchor in table.tables("anchors")),
    )
    table.finish()
    for path in (declaration.source, declaration.target):
        if path.startswith("/") or {"", ".", ".."} & set(path.split("/")):
            raise ToolError(f"[entry]: {path!r} must be a plain path")
    if not declaration.anchors:
        raise ToolError("[entry]: there is no anchor", "name the statement to insert after")
    return declaration


def _read_anchor(table: Table) -> Anchor:
    anchor = Anchor(
        name=table.text("name"),
        statement=table.text("statement"),
        insert_after=table.text("insert_after", ""),
        replacement=table.text("replacement", ""),
        function=table.text("function", ""),
        under=table.texts("under"),
    )
    table.finish()
    return anchor
