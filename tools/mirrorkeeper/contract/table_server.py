"""Run as a program: load the tables of the contract, print them as JSON, then answer for their functions.

It takes the file, two descriptors (answers, questions) and the import path, and imports nothing of these tools: code of
the tables can end or disturb this process alone. Its memory is limited, where the system limits any: a table without an
end would fill the machine's.
"""

from __future__ import annotations

import json
import os
import runpy
import signal
import sys
from collections.abc import Mapping
from contextlib import suppress
from types import FunctionType
from typing import Any

REQUIRED = ("CONTRACT", "ALSO_USED", "KEYS")
LITERALS = ("MANAGEMENT", "PAGE", "PAGE_FILES", "HEALTH")
MEMORY = 512 << 20
"""Bytes of data; large tables take a hundredth."""
SHOWN = 500
"""Characters of an error that are shown."""


def loaded(path: str) -> tuple[dict[str, Any], Mapping[str, FunctionType]]:
    """Run the file; return the answer with its tables, or with the reason why there are none, and its functions."""
    try:
        names = runpy.run_path(path)
        missing = [name for name in REQUIRED if name not in names]
        if missing:
            return {"missing": missing}, {}
        functions = {name: one for name, one in names.items() if isinstance(one, FunctionType) and needs_name(one)}
        return {"tables": tables_of(names, functions)}, functions
    except SyntaxError as error:
        own = error.filename == path  # else it is of a file that the tables import
        return {"error": str(error), "syntax": [error.msg, error.lineno or 0] if own else None}, {}
    except BaseException as error:  # noqa: BLE001 - whatever code of the project raises
        return {"error": described(error)}, {}


def tables_of(names: Mapping[str, Any], functions: Mapping[str, FunctionType]) -> dict[str, Any]:
    """Return the tables as plain data."""

    def rows(name: str) -> list[list[Any]]:
        return [
            [text(row.method), text(row.path), text(row.caller), bool(getattr(row, "optional", False))]
            for row in names[name]
        ]

    own = names.get("own", str)
    literals = [text(names[name]) for name in LITERALS if names.get(name)]
    return {
        "contract": rows("CONTRACT"),
        "also_used": rows("ALSO_USED"),
        "keys": [[text(key.path), text(key.caller), text(getattr(key, "type", ""))] for key in names["KEYS"]],
        "own": [
            [text(name), text(method), text(own(name))]
            for row in names.get("OWN", ())
            for name, methods in ((row.name, row.methods), *row.parts)
            for method in methods
        ],
        "own_paths": len(names.get("OWN", ())),
        "health": text(names.get("HEALTH", "")),
        "management": text(names.get("MANAGEMENT", "")),
        "literals": literals,
        "names": {name: value for name, value in names.items() if isinstance(value, str) and value in literals},
        "functions": list(functions),
    }


def needs_name(function: FunctionType) -> bool:
    """Return whether a function of the tables turns a name into a path: it has a parameter without a default."""
    return function.__code__.co_argcount > len(function.__defaults__ or ())


def text(value: object) -> str:
    """Return the value, which must be a text.

    Raises:
        TypeError: it is none.
    """
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is not a text")
    return value


def answer(functions: Mapping[str, FunctionType], name: str, given: str) -> dict[str, Any]:
    """Return the path that a function gives, or that it knows none."""
    try:
        return {"path": text(functions[name](given))}
    except (KeyError, AttributeError):  # a name that no row has, or one where a member of another table is wanted
        return {"unknown": True}
    except BaseException as error:  # noqa: BLE001 - as above
        return {"error": described(error)}


def described(error: BaseException) -> str:
    """Return a short text about an error of the tables, whatever its own text does."""
    if isinstance(error, MemoryError):
        return f"it takes more than {MEMORY >> 20} MB of memory, as a table without an end does"
    try:
        return repr(error)[:SHOWN]
    except BaseException:  # noqa: BLE001 - as above
        return type(error).__name__


def limit_memory() -> None:
    """Let this process take no more memory than tables need; some systems limit none."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        for kind, wanted in ((resource.RLIMIT_DATA, MEMORY), (resource.RLIMIT_AS, 8 * MEMORY)):
            _, most = resource.getrlimit(kind)
            limit = wanted if most == resource.RLIM_INFINITY else min(wanted, most)
            resource.setrlimit(kind, (limit, limit))


def serve(path: str, answering: int, asking: int) -> None:
    """Write the tables, then an answer for each question, one a line, until there are no more questions."""
    with os.fdopen(answering, "w", encoding="ascii") as answers, os.fdopen(asking, encoding="ascii") as questions:
        tables, functions = loaded(path)
        print(json.dumps(tables), file=answers, flush=True)
        for line in questions:
            asked = json.loads(line)
            print(json.dumps({"asked": asked, **answer(functions, *asked)}), file=answers, flush=True)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    limit_memory()
    sys.path[:] = json.loads(sys.argv[4])
    serve(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
