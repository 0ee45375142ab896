"""The `[contract]` table of `upstream.toml`: the file of tables, and the commands that print paths."""

from __future__ import annotations

from typing import NamedTuple

from ..errors import ToolError
from ..toml.table import Table


class ContractDeclaration(NamedTuple):
    """Settings of the contract check.

    Attributes:
        expectations: the Python file with the tables, relative to the project; it imports nothing.
        source: folder within the mirrored one that the package lies in; may be empty.
        offered: module that prints the offered endpoints and keys, as JSON.
        mounted: module that prints the mounted own paths, as JSON; empty when nothing is mounted.
        pending: the list of rows that do not exist yet, relative to the project; may be empty.
        paths: folders whose code must take every path from the tables.
        endpoints: how many endpoints the contract has.
        own: how many paths of our own there are.
        keys: how many configuration keys the contract has.
    """

    expectations: str
    source: str
    offered: str
    mounted: str
    pending: str
    paths: tuple[str, ...]
    endpoints: int
    own: int
    keys: int


def read_contract(table: Table) -> ContractDeclaration:
    """Read the table.

    Raises:
        ToolError: a key is missing, unknown or of the wrong type.
    """
    declaration = ContractDeclaration(
        expectations=table.text("expectations"),
        source=table.text("source", ""),
        offered=table.text("offered"),
        mounted=table.text("mounted", ""),
        pending=table.text("pending", ""),
        paths=table.texts("paths"),
        endpoints=table.integer("endpoints"),
        own=table.integer("own"),
        keys=table.integer("keys"),
    )
    table.finish()
    for module in (declaration.offered, declaration.mounted):
        if module and not all(part.isidentifier() for part in module.split(".")):
            raise ToolError(f"[contract]: {module!r} must be the dotted name of a module")
    return declaration
