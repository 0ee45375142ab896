"""`contract`: the endpoints and keys in use, held against those a gateway offers; own paths, against those mounted.

The tables are a Python file of the project that imports nothing of it: `CONTRACT` and `ALSO_USED` (rows with `method`,
`path`, `caller`, maybe `optional`), `KEYS` (`path`, `caller`), `OWN` (`name`, `methods`, `parts`), the function `own`
from a name to its path, and for the sentinels `MANAGEMENT` and `HEALTH`. They are read in this process. Two modules of
the project print as JSON what is offered and what is mounted, each in a process of its own.
"""

import ast
import difflib
import json
import re
import runpy
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Self

from .boundary import project_files
from .declaration import Declaration
from .errors import ToolError
from .findings import Finding, Report
from .python_process import PythonProcess
from .report import counted

SCHEMA = 1
_PARAMETER = re.compile(r"\{[^}/]*\}|(?<=/)[:*][^/]*")
_SHOWN = 12
_WRITTEN = ("MANAGEMENT", "PAGE", "PAGE_FILES", "HEALTH")
"""Tables of one path each, which no code writes out itself."""


@dataclass(frozen=True)
class Surface:
    """Routes and configuration keys of a gateway.

    Attributes:
        routes: for each path, parameters as `{}`, the methods it answers to.
        keys: dots between levels, `[]` for the items of a list, `*` for any name.
        uncalled: for method and path, the function that registers the route and that nothing calls.
    """

    routes: Mapping[str, set[str]]
    keys: frozenset[str]
    uncalled: Mapping[tuple[str, str], str] = field(default_factory=dict)

    @classmethod
    def of(cls, routes: Iterable[tuple[str, str]], keys: Iterable[str] = ()) -> "Surface":
        """Gather method and path of every route."""
        methods: dict[str, set[str]] = {}
        for method, path in routes:
            methods.setdefault(normal_path(path), set()).add(method.upper())
        return cls(methods, frozenset(keys))

    @classmethod
    def parse(cls, text: str, module: str) -> "Surface":
        """Read the JSON that a module printed. Raises ToolError: it is not that."""
        try:
            data = json.loads(text)
            if data["schema"] != SCHEMA:
                raise ToolError(f"{module}: schema {data['schema']} is not {SCHEMA}", "use tools of one version")
            return cls.of([(row["method"], row["path"]) for row in data["routes"]], data.get("keys", ()))
        except (ValueError, KeyError, TypeError) as error:
            raise ToolError(f"{module}: its answer cannot be read: {error!r}", f"see python -m {module}") from error


def normal_path(path: str) -> str:
    """Return a path with each parameter as `{}`, whatever it is called, and no slash at its end."""
    return _PARAMETER.sub("{}", path).rstrip("/") or "/"


def read_tables(declaration: Declaration) -> SimpleNamespace:
    """Return the names of the file of tables. Raises ToolError: it cannot be run, or lacks a table."""
    shown = declaration.required_contract().expectations
    try:
        names = runpy.run_path(str(declaration.root / shown))
    except Exception as error:
        raise ToolError(f"{shown} cannot be read: {error!r}", "correct it, then run the gates again") from error
    empty: Mapping[str, Any] = {"OWN": (), "FLEET": (), "own": str, "MANAGEMENT": "", "HEALTH": ""}
    missing = [name for name in ("CONTRACT", "ALSO_USED", "KEYS") if name not in names]
    if missing:
        raise ToolError(f"{shown} has no {', '.join(missing)}", "add the table; it may be empty")
    return SimpleNamespace(**{**empty, **names})


class ContractCheck:
    """The check of one project. Both modules work from the start, while other things are done."""

    def __init__(self, declaration: Declaration, tree: Path | None = None) -> None:
        """Read the tables and start the modules; `tree` is judged instead of the mirrored one.

        Raises ToolError: nothing is declared, or the tables cannot be read.
        """
        self._declaration = declaration
        self._rules = declaration.required_contract()
        self._tables = read_tables(declaration)
        self._where = str(tree) if tree else declaration.path
        place = (tree.resolve() if tree else declaration.mirror) / self._rules.source
        if not place.is_dir():
            raise ToolError(f"{place} is no folder", "name another with --tree, or python -m tools mirror sync")
        self._processes = ExitStack()
        self._offered = self._start(self._rules.offered, place)
        self._mounted = self._start(self._rules.mounted, place) if self._rules.mounted else None

    def _start(self, module: str, place: Path) -> PythonProcess:
        root = self._declaration.root
        return self._processes.enter_context(PythonProcess([module], root, [root, place]))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._processes.close()

    def report(self) -> Report:
        """Gather everything that is not as relied on."""
        rules, tables = self._rules, self._tables
        findings = [*self._counts(), *self._written_paths()]
        surface = Surface.parse(self._offered.answer(rules.offered, f"see python -m {rules.offered}"), rules.offered)
        findings += contract_findings(surface, tables, self._where)
        if self._mounted is not None:
            answer = self._mounted.answer(rules.mounted, f"see python -m {rules.mounted}")
            findings += _own_findings(Surface.parse(answer, rules.mounted), tables, rules.mounted)
        summary = (
            f"{counted(len(tables.CONTRACT), 'endpoint')} and {counted(len(tables.KEYS), 'key')} held against "
            f"{counted(sum(map(len, surface.routes.values())), 'route')} of {self._where}; "
            f"{counted(len(tables.ALSO_USED), 'more endpoint')} in use; {counted(len(tables.OWN), 'path')} of our own"
        )
        return Report.of("contract", findings, summary)

    def _counts(self) -> Iterator[Finding]:
        declared = {"CONTRACT": self._rules.endpoints, "OWN": self._rules.own, "KEYS": self._rules.keys}
        for name, count in declared.items():
            rows = len(getattr(self._tables, name))
            if rows != count:
                text = f"{name} has {rows} rows, {count} are declared"
                yield Finding("CON013", self._rules.expectations, text, "correct the table, or [contract]")

    def _written_paths(self) -> Iterator[Finding]:
        """Yield paths of the tables that code writes out itself, and names that it asks for in vain."""
        paths = [re.escape(path) for name in _WRITTEN if (path := getattr(self._tables, name, ""))]
        if not paths:
            return
        literal = re.compile(rf"(?:{'|'.join(paths)})(?=$|[/?#\"'`{{])")
        whole = re.compile(rf"(?:^|://\S*){literal.pattern}")
        in_text = re.compile(rf"[\"'`]{literal.pattern}")
        for path in project_files(self._declaration, ".py", ".js", ".html"):
            if path == self._rules.expectations or not path.startswith(tuple(f"{root}/" for root in self._rules.paths)):
                continue
            text = (self._declaration.root / path).read_text(encoding="utf-8", errors="replace")
            matches = [text.count("\n", 0, match.start()) + 1 for match in in_text.finditer(text)]
            if path.endswith(".py"):
                yield from self._unknown_names(text, path)
                matches = list(_lines_of_constants(text, whole)) if literal.search(text) else []
            for line in matches:
                yield Finding("CON012", path, "writes out a path of the tables", "take it from the tables", line)

    def _unknown_names(self, text: str, path: str) -> Iterator[Finding]:
        """Yield the rows that the code asks the tables for and that no table has."""
        for match in re.finditer(r"\b(own|management)\(\"([^\"{]+)\"", text):
            function: Callable[[str], str] | None = getattr(self._tables, match[1], None)
            try:
                function(match[2]) if function else None
            except KeyError:
                line = text.count("\n", 0, match.start()) + 1
                message = f"asks for the path {match[2]!r}, which is in no table"
                yield Finding("CON012", path, message, "add a row to the tables, or correct the name", line)


def contract_findings(surface: Surface, tables: SimpleNamespace, where: str) -> Iterator[Finding]:
    """Yield everything that is not as relied on; a sentinel stands for all endpoints, keys are judged all the same."""
    sentinel = _sentinel(surface, tables, where)
    if sentinel is not None:
        yield sentinel
    else:
        for code, rows in (("CON004", tables.CONTRACT), ("CON007", tables.ALSO_USED)):
            for row in rows:
                yield from _endpoint_findings(row, surface, where, code)
    for key in tables.KEYS:
        if key.path not in surface.keys:
            near = difflib.get_close_matches(key.path, sorted(surface.keys), n=3)
            message = f"the configuration key {key.path} is gone; {key.caller} relies on it"
            hint = "change the caller, or keep the key with a patch"
            yield Finding("CON006", where, message, hint, 0, tuple(f"there is: {name}" for name in near))


def _sentinel(surface: Surface, tables: SimpleNamespace, where: str) -> Finding | None:
    """Return the reason why single endpoints cannot be judged: a failed capture must not look like a removal."""
    count = counted(len(surface.routes), "route")
    if not surface.routes:
        return Finding("CON001", where, "not one route: capturing them failed", "correct the introspection")
    if tables.MANAGEMENT and not any(path.startswith(tables.MANAGEMENT) for path in surface.routes):
        message = f"{count}, but none below {tables.MANAGEMENT}: the condition they depend on has changed"
        return Finding("CON003", where, message, "see when the gateway registers management routes")
    if tables.HEALTH and normal_path(tables.HEALTH) not in surface.routes:
        message = f"{count}, but no {tables.HEALTH}: they were captured too early"
        return Finding("CON002", where, message, "capture them when the application is complete")
    return None


def _endpoint_findings(row: Any, surface: Surface, where: str, code: str) -> Iterator[Finding]:
    """Yield a finding for a row that is gone, that answers other methods, or whose registration nothing calls."""
    path = normal_path(row.path)
    methods = surface.routes.get(path)
    hint = "change the caller, or keep the endpoint with a patch"
    if methods is None and not getattr(row, "optional", False):
        parent = path.rpartition("/")[0]
        near = [name for name in surface.routes if parent in (name, name.rpartition("/")[0])]
        details = [f"beside it: {','.join(sorted(surface.routes[name]))} {name}" for name in near[:_SHOWN]]
        details += [f"… and {len(near) - _SHOWN} more"] if len(near) > _SHOWN else []
        message = f"{row.method} {row.path} is gone; {row.caller} relies on it"
        yield Finding(code, where, message, hint, 0, tuple(details))
    elif methods is not None and row.method not in methods:
        offered = ", ".join(sorted(methods))
        message = f"{row.method} {row.path} is gone, it answers to {offered}; {row.caller} relies on it"
        yield Finding("CON005" if code == "CON004" else code, where, message, "change the caller's method")
    elif (row.method, path) in surface.uncalled:
        function = surface.uncalled[row.method, path]
        message = f"{row.method} {row.path} is registered by {function}, which nothing calls; {row.caller} relies on it"
        yield Finding("CON016", where, message, hint)


def _own_findings(surface: Surface, tables: SimpleNamespace, where: str) -> Iterator[Finding]:
    """Compare both ways: a mounted path must be in the table, a row must be mounted."""
    rows = {
        (method, normal_path(tables.own(name)))
        for part in (*(((row.name, row.methods), *row.parts) for row in tables.OWN), tables.FLEET)
        for name, methods in part
        for method in methods
    }
    mounted = {(method, path) for path, methods in surface.routes.items() for method in methods}
    for method, path in sorted(rows - mounted):
        message = f"{method} {path} is in the table of own paths and not mounted"
        yield Finding("CON008", where, message, "mount it, or take it out of the table")
    for method, path in sorted(mounted - rows):
        message = f"{method} {path} is mounted, and the table of own paths does not have it"
        yield Finding("CON009", where, message, "add it to OWN as a part of one of its rows")


def _lines_of_constants(source: str, literal: re.Pattern[str]) -> Iterator[int]:
    """Yield the line of each text in Python code that a pattern matches; docstrings are none."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):  # a finding of the boundary
        return
    described = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or id(node) in described:
            continue
        if isinstance(node.value, str) and literal.search(node.value):
            yield node.lineno
