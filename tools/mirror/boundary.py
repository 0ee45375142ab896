"""`boundary`: imports of the mirrored package, its names in use, and import-linter's contracts.

Import statements and calls with a literal name are read here: the honest mistakes. The audit of imports under the tests
(`import_audit`) hears the others.
"""

import ast
import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Self

from .contracts import IMPORTING, literal_imports
from .declaration import Declaration
from .errors import ToolError
from .findings import Finding, Report
from .python_process import PythonProcess
from .report import counted
from .repository import Repository

_CONTRACTS = Path(__file__).with_name("contracts.py")
Symbols = dict[tuple[str, str], tuple[str, int]]
"""Names in use, by module and name: path and line of one place."""


class BoundaryCheck:
    """The check of one project. import-linter works from the start, while other things are done."""

    def __init__(self, declaration: Declaration) -> None:
        """Read the declaration and start import-linter.

        Raises ToolError: nothing is declared, the mirrored package is not there, or import-linter is not installed.
        """
        self._declaration = declaration
        self._root = declaration.root
        self._mirror = declaration.path
        self._rules = declaration.required_boundary()
        self._source = declaration.mirror / self._rules.source
        if not (self._source / self._rules.package).is_dir():
            raise ToolError(f"{self._source} has no package {self._rules.package}", "python -m tools mirror sync")
        self._linting = self._start_linting()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._linting is not None:
            self._linting.__exit__()

    def report(self) -> Report:
        """Read the project's files and gather everything that breaks a rule."""
        paths = project_files(self._declaration, ".py")
        findings: list[Finding] = []
        used: Symbols = {}
        statement = rb"\b(?:from|import)\b(?:[^\n]|\\\n)*"
        package = re.escape(self._rules.package).encode()
        importing = re.compile(rb"%b\b%b\b|%b" % (statement, package, IMPORTING.pattern.encode()))
        for path in paths:
            content = b"" if _is_below(path, self._rules.exempt) else (self._root / path).read_bytes()
            if not importing.search(content):
                continue
            try:
                tree = ast.parse(content, path)
            except (SyntaxError, ValueError, RecursionError) as error:
                findings.append(Finding("IMP013", path, f"is no valid Python: {error}", "correct it, or exempt it"))
                continue
            if not _is_below(path, (*self._rules.importers, *self._rules.generated)):
                findings.extend(self._imports(tree, path))
            elif not _is_below(path, self._rules.generated):
                used.update(self._symbols(tree, path))
        findings += [*self._unlisted(used), *self._shadows(), *self._broken_contracts(paths)]
        places = f"{counted(len(paths), 'file')} and {self._rules.contracts or 'no contracts'}"
        names = f"{counted(len(used), 'name')} of {self._rules.package} used"
        return Report.of("boundary", findings, f"{places}; {names}")

    def _start_linting(self) -> PythonProcess | None:
        if not self._rules.contracts:
            return None
        if find_spec("importlinter") is None:
            hint = "use the development environment, or install import-linter"
            raise ToolError("[boundary] `contracts` needs import-linter", hint)
        return PythonProcess([str(_CONTRACTS), self._rules.contracts], self._root, [self._root, self._source])

    def _own(self, module: str) -> str:
        """Return the name below the package of a module by any of its names; empty when it is none of the package.

        A folder without `__init__` is a package, too: `mirror.gateway.src.gateway` is the same code.
        """
        package = self._rules.package
        folder = f"{self._mirror}/{self._rules.source}".strip("/").replace("/", ".")
        for name in (package, f"{folder}.{package}"):
            if module == name or module.startswith(f"{name}."):
                return package + module[len(name) :]
        return ""

    def _imports(self, tree: ast.Module, path: str) -> Iterator[Finding]:
        """Yield the imports of the package in a file that may not import it."""
        hint = f"only {', '.join(self._rules.importers)} may"
        for node in ast.walk(tree):
            modules = [name.name for name in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and not node.level:
                modules = [node.module or "", *(f"{node.module}.{name.name}" for name in node.names)]
            imported = next(filter(self._own, modules), "")
            if imported:
                yield Finding("IMP001", path, f"imports {imported}", hint, getattr(node, "lineno", 0))
        folder = f"{self._mirror}/{self._rules.source}".rstrip("/")
        for text, line in literal_imports(tree):
            if self._own(text) or text.startswith(f"{folder}/{self._rules.package}/"):
                yield Finding("IMP002", path, f"imports {text} by its name", hint, line)

    def _symbols(self, tree: ast.Module, path: str) -> Iterator[tuple[tuple[str, str], tuple[str, int]]]:
        """Yield the names of the package that a file uses; of a module imported as a whole, the attributes."""
        modules: dict[str, str] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                for name in filter(lambda name: self._own(name.name), node.names):
                    modules[name.asname or self._rules.package] = name.name if name.asname else self._rules.package
            elif isinstance(node, ast.ImportFrom) and self._own(node.module or "") and not node.level:
                for alias in node.names:
                    if self._is_module(full := f"{node.module}.{alias.name}"):
                        modules[alias.asname or alias.name] = full
                    else:
                        yield (node.module or "", alias.name), (path, node.lineno)
        for node in ast.walk(tree) if modules else ():
            if isinstance(node, ast.Attribute):
                module, _, attribute = _dotted(node).rpartition(".")
                first, _, rest = module.partition(".")
                full = f"{modules.get(first, '')}.{rest}".strip(".")
                if first in modules and self._is_module(full) and not self._is_module(f"{full}.{attribute}"):
                    yield (full, attribute), (path, node.lineno)

    def _is_module(self, module: str) -> bool:
        place = self._source.joinpath(*module.split("."))
        return place.is_dir() or place.with_suffix(".py").is_file()

    def _unlisted(self, used: Symbols) -> Iterator[Finding]:
        """Yield each name that is used and not listed, listed and not used, or listed without a reason."""
        shown = self._rules.symbols
        listed = _read_list(self._root / shown, shown)
        for module, name in sorted(used.keys() - listed.keys()):
            path, line = used[module, name]
            hint = f'add {name} = "the reason" below ["{module}"], or use a name that is listed'
            yield Finding("IMP005", path, f"uses {module}.{name}, which is not in {shown}", hint, line)
        for module, name in sorted(listed.keys() - used.keys()):
            yield Finding("IMP006", shown, f"lists {module}.{name}, which is no longer used", "take it out of the list")
        for (module, name), reason in sorted(listed.items()):
            if not reason.strip():
                yield Finding(
                    "IMP007", shown, f"gives no reason for {module}.{name}", "write why no other name will do"
                )

    def _shadows(self) -> Iterator[Finding]:
        """Yield modules of ours that `python -m` in the project's folder imports in place of the package."""
        package = self._rules.package
        for path in (*self._root.glob(f"{package}.py"), *self._root.glob(f"{package}/__init__.py")):
            if not path.is_relative_to(self._source):
                shown = path.relative_to(self._root).as_posix()
                yield Finding("GEN007", shown, f"is imported in place of the mirrored {package}", "rename or remove it")

    def _broken_contracts(self, paths: list[str]) -> Iterator[Finding]:
        """Yield a finding for each chain of imports that breaks a contract, at the import it begins with."""
        if self._linting is None:
            return
        answer = self._linting.answer("import-linter's contracts", "lint-imports shows the error")
        files = {path.removesuffix(".py").removesuffix("/__init__").replace("/", "."): path for path in paths}
        broken: list[dict[str, Any]] = json.loads(answer)
        for contract in broken:
            name = contract["contract"]
            if not contract["chains"]:
                yield Finding("IMP010", self._rules.contracts, f"the contract {name!r} is broken", "run lint-imports")
            for chain in contract["chains"]:
                first, last = chain[0], chain[-1]
                message = f"{first['importer']} imports {last['imported']}, which breaks the contract {name!r}"
                details = tuple(f"{link['importer']} imports {link['imported']}" for link in chain if chain[1:])
                path = files.get(first["importer"], first["importer"])
                yield Finding("IMP010", path, message, "import it where the contract allows it", first["line"], details)


def project_files(declaration: Declaration, *suffixes: str) -> list[str]:
    """Return paths of the project's files, those git knows or would add, without the mirrored ones."""
    root = declaration.root
    listed = Repository(root).run("ls-files", "-z", "--cached", "--others", "--exclude-standard").records
    matching = {path for path in listed if path.endswith(suffixes) and not path.startswith(f"{declaration.path}/")}
    return sorted(path for path in matching if (root / path).is_file())


def _is_below(path: str, places: tuple[str, ...]) -> bool:
    return any(path == place or path.startswith(place.rstrip("/") + "/") for place in places)


def _dotted(node: ast.expr) -> str:
    """Return a chain of attributes as text; of anything else an empty one."""
    if isinstance(node, ast.Attribute):
        above = _dotted(node.value)
        return above and f"{above}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""


def _read_list(path: Path, shown: str) -> dict[tuple[str, str], str]:
    """Read the list of names in use: one table a module, one line a name with its reason.

    Raises ToolError: it cannot be read.
    """
    try:
        tables: Mapping[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ToolError(f"{shown} cannot be read: {error}", "correct it, then run the gates again") from error
    if not all(isinstance(names, Mapping) for names in tables.values()):
        raise ToolError(f"{shown}: every table must be a module", 'write ["package.module"], then: name = "the reason"')
    return {(module, name): str(reason) for module, names in tables.items() for name, reason in names.items()}
