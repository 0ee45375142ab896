"""import-linter's contracts in a process of its own: `python -P lint_process.py CONFIG` prints the broken ones.

It imports nothing of these tools, so that it can be run by its path with only the project's folders on the import path.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from typing import Any

from importlinter import configuration
from importlinter.application.use_cases import _register_contract_types, create_report, read_user_options


def broken_contracts(config: str) -> list[dict[str, Any]]:
    """Check the contracts of a configuration file and return the broken ones: name, and the chains that break each."""
    configuration.configure()
    options = read_user_options(config_filename=config)
    _register_contract_types(options)
    report = create_report(options, cache_dir=None)
    return [
        {
            "contract": contract.name,
            "chains": [list(map(_link, chain)) for chain in (*_chains(check.metadata), *_cycles(check.metadata))],
        }
        for contract, check in report.get_contracts_and_checks()
        if not check.kept
    ]


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
