"""import-linter's contracts in a process of its own: `python -P contracts.py CONFIG` prints the broken ones as JSON.

It imports nothing of these tools: run by its path, it has only the project's folders on the import path. A call that
imports a module by a literal name counts as an import, which import-linter by itself does not see.
"""

import ast
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

IMPORTING = re.compile(
    r"\b(?:import_module|__import__|importorskip|run_module|run_path|resolve_name|find_spec|find_loader|get_loader"
    r"|locate|spec_from_file_location)\b"
)
"""Calls that import, run or look up a module by its name or its file."""


def literal_imports(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Yield each text that is handed to a call of `IMPORTING`, up to a colon, with its line."""
    froms = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    aliases = {name.asname for node in froms for name in node.names if IMPORTING.fullmatch(name.name)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            for value in (*node.args, *(keyword.value for keyword in node.keywords)):
                importing = called in aliases or IMPORTING.fullmatch(called)
                if importing and isinstance(value, ast.Constant) and isinstance(value.value, str):
                    yield value.value.partition(":")[0], node.lineno


def broken_contracts(config: str) -> list[dict[str, Any]]:
    """Check the contracts of a configuration and return the broken ones: name, and the chains that break each."""
    from importlinter import configuration
    from importlinter.application import use_cases
    from importlinter.application.app_config import settings

    configuration.configure()
    settings.configure(GRAPH_BUILDER=_graph_builder())
    options = use_cases.read_user_options(config_filename=config)
    use_cases._register_contract_types(options)  # noqa: SLF001 - its own command does, and nothing public does it
    report = use_cases.create_report(options, cache_dir=None)
    return [
        {"contract": contract.name, "chains": [[_link(link) for link in chain] for chain in _chains(check.metadata)]}
        for contract, check in report.get_contracts_and_checks()
        if not check.kept
    ]


def _graph_builder() -> Any:
    """Return import-linter's own builder with the literal imports added to its graph."""
    from importlinter.adapters.building import GraphBuilder

    class WithLiteralImports(GraphBuilder):
        def build(self, root_package_names: list[str], *arguments: Any, **options: Any) -> Any:
            graph = super().build(root_package_names, *arguments, **options)
            modules = {name for name in graph.modules if name.partition(".")[0] in root_package_names}
            for importer in sorted(modules):
                source = _source(importer)
                for name, line in literal_imports(ast.parse(source)) if IMPORTING.search(source) else ():
                    imported = name
                    while imported and imported not in modules:
                        imported = imported.rpartition(".")[0]
                    if imported not in ("", importer) and not graph.direct_import_exists(
                        importer=importer, imported=imported
                    ):
                        graph.add_import(importer=importer, imported=imported, line_number=line, line_contents=name)
            return graph

    return WithLiteralImports()


def _source(module: str) -> str:
    """Return the source of a module on the import path."""
    for folder in sys.path:
        place = Path(folder or ".").joinpath(*module.split("."))
        for path in (place.with_suffix(".py"), place / "__init__.py"):
            if path.is_file():
                return path.read_text(encoding="utf-8", errors="replace")
    return ""


def _chains(data: Any) -> Iterator[Sequence[Mapping[str, Any]]]:
    """Yield every chain of imports in the data of a broken contract; each type of contract has its own form."""
    if isinstance(data, Mapping):
        for key, value in data.items():
            if key in ("illegal_links", "extra_firsts"):
                yield from ([link] for link in value)
            elif key == "cycle_breakers_by_package":
                pairs = (pair for breakers in value.values() for pair in sorted(breakers))
                yield from ([{"importer": importer, "imported": imported}] for importer, imported in pairs)
            elif key != "extra_lasts":
                yield from _chains(value)
    elif hasattr(data, "__dataclass_fields__"):
        yield from _chains(vars(data))
    elif isinstance(data, list | tuple) and data and all(map(_is_link, data)):
        yield list(data)
    elif isinstance(data, list | tuple):
        for part in data:
            yield from _chains(part)


def _is_link(part: Any) -> bool:
    return isinstance(part, Mapping) and "importer" in part and "line_numbers" in part


def _link(link: Mapping[str, Any]) -> dict[str, Any]:
    lines = [line for line in link.get("line_numbers") or () if line]
    return {"importer": str(link["importer"]), "imported": str(link["imported"]), "line": min(lines, default=0)}


if __name__ == "__main__":
    print(json.dumps(broken_contracts(sys.argv[1])))
