"""import-linter's contracts as findings."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ..errors import ToolError
from ..findings import Finding
from ..system.process import PythonProcess
from ..text import raw_path
from ..tool_name import DISTRIBUTION

_PROGRAM = Path(__file__).with_name("lint_process.py")


def start_linting(root: Path, path: Iterable[Path], config: str) -> PythonProcess:
    """Start checking the contracts of `config` in the folder `root`, with the folders of `path` to import from.

    Raises:
        ToolError: import-linter is not installed.
    """
    if find_spec("importlinter") is None:
        wanted = f"pip install import-linter, or pip install '{DISTRIBUTION}[imports]'"
        raise ToolError("[boundary] `contracts` needs import-linter, which is not installed", wanted)
    return PythonProcess(["-P", str(_PROGRAM), config], root, [root, *path])


def broken_contracts(process: PythonProcess) -> list[dict[str, Any]]:
    """Wait for the answer of `start_linting`: the broken contracts.

    Raises:
        ToolError: the contracts could not be checked.
    """
    answer = process.answer(
        "import-linter's contracts", "run lint-imports to see why; import-linter 2.3 to 2.17 are known to work"
    )
    try:
        broken = json.loads(answer)
    except ValueError as error:
        raise ToolError(f"import-linter's contracts: no answer that can be read: {error}") from error
    return list(broken)


def contract_findings(broken: Iterable[Mapping[str, Any]], path_of: Mapping[str, str]) -> Iterator[Finding]:
    """One finding for every chain of imports that breaks a contract, at the import it begins with."""
    for one in broken:
        name = one["contract"]
        if not one["chains"]:
            yield Finding("IMP010", b".importlinter", f"the contract {name!r} is broken", "run lint-imports")
        for chain in one["chains"]:
            first, last = chain[0], chain[-1]
            message = f"{first['importer']} imports {last['imported']}, which breaks the contract {name!r}"
            details = tuple(f"{link['importer']} imports {link['imported']}" for link in chain) if chain[1:] else ()
            path = path_of.get(first["importer"], first["importer"])
            yield Finding(
                "IMP010", raw_path(path), message, "import it where the contract allows it", first["line"], details
            )
