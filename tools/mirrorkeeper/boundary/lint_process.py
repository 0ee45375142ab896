"""import-linter's contracts in a process of its own: `python -P lint_process.py CONFIG` prints the broken ones.

It imports nothing of these tools, so that it can be run by its path with only the project's folders on the import path.

A text that names a module of the project counts as an import of it: `import_module`, a loader's setting or a command
takes such a name, and import-linter reads statements alone.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeGuard

import grimp
from importlinter import configuration
from importlinter.adapters.building import GraphBuilder
from importlinter.application import use_cases
from importlinter.application.app_config import settings

_DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.\w+)+\.?(?::[\w.]*)?")


class NamedModules(GraphBuilder):
    """Graph of imports in which a text that names a module counts as one."""

    def build(self, root_package_names: list[str], *arguments: Any, **options: Any) -> grimp.ImportGraph:
        """Build the graph, and add the modules that are named in texts."""
        graph = super().build(root_package_names, *arguments, **options)
        known = {name for name in graph.modules if name.partition(".")[0] in root_package_names}
        worth = re.compile(rf"[\"'](?:{'|'.join(map(re.escape, root_package_names))})\.")
        for importer in sorted(known):
            source = _source(importer)
            if worth.search(source) is None:
                continue
            for imported, line in named_modules(source, known - {importer}):
                if not graph.direct_import_exists(importer=importer, imported=imported):
                    graph.add_import(importer=importer, imported=imported, line_number=line, line_contents=imported)
        return graph


def named_modules(source: str, known: Collection[str]) -> Iterator[tuple[str, int]]:
    """Yield each known module below its root that a text of the source names, with the line of the text."""
    nodes = list(ast.walk(ast.parse(source)))
    inner = {id(node.left) for node in nodes if _is_sum(node)}  # its text is the beginning of another's
    for node in nodes:
        text = "" if id(node) in inner and _is_sum(node) else _text(node)
        name = text.partition(":")[0].rstrip(".") if text and _DOTTED.fullmatch(text) else ""
        while "." in name and name not in known:
            name = name.rpartition(".")[0]
        if "." in name:
            yield name, getattr(node, "lineno", 0)


def _text(node: ast.AST) -> str:
    """Return a text, or the fixed beginning of one that is put together."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr) and node.values:
        return _text(node.values[0])
    later: list[ast.expr] = []
    while isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        later.append(node.right)
        node = node.left
    left = _text(node) if later else ""
    return left + "".join(map(_text, reversed(later))) if left else ""


def _is_sum(node: ast.AST) -> TypeGuard[ast.BinOp]:
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add)


def _source(module: str) -> str:
    """Return the source of a module on the import path."""
    for folder in sys.path:
        place = Path(folder or ".").joinpath(*module.split("."))
        for path in (place.with_suffix(".py"), place / "__init__.py"):
            if path.is_file():
                return path.read_text(encoding="utf-8", errors="replace")
    return ""


def broken_contracts(config: str) -> list[dict[str, Any]]:
    """Check the contracts of a configuration file and return the broken ones: name, and the chains that break each."""
    configuration.configure()
    settings.configure(GRAPH_BUILDER=NamedModules())
    options = use_cases.read_user_options(config_filename=config)
    _register_contract_types(options)
    report = use_cases.create_report(options, cache_dir=None)
    return [
        {
            "contract": contract.name,
            "chains": [list(map(_link, chain)) for chain in (*_chains(check.metadata), *_cycles(check.metadata))],
        }
        for contract, check in report.get_contracts_and_checks()
        if not check.kept
    ]


def _register_contract_types(options: Any) -> None:
    """Make the types of contracts known; since release 2.17 a project's own ones are read with its report."""
    with_own_types = getattr(use_cases, "_register_contract_types", None)
    if with_own_types is not None:
        with_own_types(options)
    else:
        getattr(use_cases, "_register_built_in_contract_types")()  # noqa: B009 - releases before have none


def _chains(data: Any) -> Iterator[list[Mapping[str, Any]]]:
    """Yield every chain of imports in a broken contract's data, whatever its type; each contract type has its own."""
    if isinstance(data, Mapping):
        for key, value in data.items():
            if key in ("illegal_links", "extra_firsts"):
                yield from ([link] for link in value)
            elif key == "extra_lasts":
                continue
            elif key == "chain":
                yield list(value)
            else:
                yield from _chains(value)
    elif hasattr(data, "__dataclass_fields__"):
        yield from _chains(vars(data))
    elif isinstance(data, list | tuple):
        if data and all(isinstance(one, Mapping) and "importer" in one and "line_numbers" in one for one in data):
            yield list(data)
        else:
            for one in data:
                yield from _chains(one)


def _cycles(data: Mapping[str, Any]) -> Iterator[list[Mapping[str, Any]]]:
    """Yield the imports that would have to go for siblings to import each other in one direction only."""
    for breakers in data.get("cycle_breakers_by_package", {}).values():
        for importer, imported in sorted(breakers):
            yield [{"importer": importer, "imported": imported}]


def _link(link: Mapping[str, Any]) -> dict[str, Any]:
    lines = [line for line in link.get("line_numbers") or () if line]
    return {"importer": str(link["importer"]), "imported": str(link["imported"]), "line": min(lines, default=0)}


if __name__ == "__main__":
    print(json.dumps(broken_contracts(sys.argv[1])))
