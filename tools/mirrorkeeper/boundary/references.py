"""Every way a Python file can refer to the guarded package, found on its syntax tree. Pure."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

_IMPORTERS = {"import_module", "__import__", "find_spec", "resolve_name", "run_module", "load_module"}
_DOTTED = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)+(:[A-Za-z_][\w.]*)?")


class Kind(Enum):
    """Kind of a reference to the package."""

    IMPORT = "imports"
    LATE = "imports, inside a function,"
    TYPED = "imports, for types only,"
    DYNAMIC = "imports by a text"
    UNKNOWN = "imports by a name computed at run time:"
    TEXT = "names in a text"


@dataclass(frozen=True)
class Reference:
    """One reference: line, target (dotted; for an unknown one the expression), kind."""

    line: int
    target: str
    kind: Kind


def may_refer(content: bytes, package: str) -> bool:
    """Return whether a file is worth parsing: quick, and never false for one that holds a reference."""
    name = re.escape(package.encode())
    words = "|".join(sorted(_IMPORTERS)).encode()
    return re.search(rb"\b%b\.\w|\b(?:import|from)\b[^\n]*\b%b\b|%b|\\\r?\n" % (name, name, words), content) is not None


def references(tree: ast.Module, package: str) -> Iterator[Reference]:
    """Yield every reference to `package`, and every dynamic import of a computed name, in order of lines."""
    found = sorted(set(_Finder(package).look(tree)), key=lambda one: (one.line, one.target, one.kind.value))
    yield from found


class _Finder:
    """Tree walker that knows the context of a node: a function, a block for type checkers only."""

    def __init__(self, package: str) -> None:
        self._package = package

    def look(self, tree: ast.Module) -> Iterator[Reference]:
        yield from self._walk(tree, late=False, typed=False)

    def _walk(self, node: ast.AST, *, late: bool, typed: bool) -> Iterator[Reference]:
        kind = Kind.TYPED if typed else Kind.LATE if late else Kind.IMPORT
        yield from self._imports(node, kind)
        if isinstance(node, ast.Call):
            dynamic = _imported_by(node)
            if dynamic is not None:
                yield from self._dynamic(dynamic)
                # The name was judged with its call; other arguments are looked at like everything else.
                for part in (node.func, *node.args[1:], *(word.value for word in node.keywords)):
                    if part is not dynamic:
                        yield from self._walk(part, late=late, typed=typed)
                return
        if isinstance(node, ast.Constant | ast.JoinedStr):
            yield from self._text(node)
            return
        if isinstance(node, ast.If) and _is_for_types(node.test):
            for statement in node.body:
                yield from self._walk(statement, late=late, typed=True)
            for statement in node.orelse:
                yield from self._walk(statement, late=late, typed=typed)
            return
        inside = late or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        for child in _without_docstring(node):
            yield from self._walk(child, late=inside, typed=typed)

    def _imports(self, node: ast.AST, kind: Kind) -> Iterator[Reference]:
        if isinstance(node, ast.Import):
            yield from (Reference(node.lineno, name.name, kind) for name in node.names if self._is_ours(name.name))
        elif isinstance(node, ast.ImportFrom) and not node.level and self._is_ours(node.module or ""):
            yield from (Reference(node.lineno, f"{node.module}.{name.name}", kind) for name in node.names)

    def _dynamic(self, name: ast.expr) -> Iterator[Reference]:
        if isinstance(name, ast.Constant) and isinstance(name.value, str):
            if self._is_ours(name.value):
                yield Reference(name.lineno, name.value, Kind.DYNAMIC)
        else:
            yield Reference(name.lineno, ast.unparse(name), Kind.UNKNOWN)

    def _text(self, node: ast.Constant | ast.JoinedStr) -> Iterator[Reference]:
        text = node.value if isinstance(node, ast.Constant) else _shape(node)
        if isinstance(text, str) and _DOTTED.fullmatch(text) and text.startswith(self._package + "."):
            yield Reference(node.lineno, text, Kind.TEXT)

    def _is_ours(self, module: str) -> bool:
        return module == self._package or module.startswith(self._package + ".")


def _shape(node: ast.JoinedStr) -> str:
    """A formatted text with a plain word in each gap, so that its fixed part can be recognized."""
    return "".join(str(part.value) if isinstance(part, ast.Constant) else "x" for part in node.values)


def _imported_by(call: ast.Call) -> ast.expr | None:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if name not in _IMPORTERS:
        return None
    if call.args:
        return call.args[0]
    return next((word.value for word in call.keywords if word.arg in ("name", "mod_name")), None)


def _is_for_types(test: ast.expr) -> bool:
    name = test.attr if isinstance(test, ast.Attribute) else getattr(test, "id", "")
    return name == "TYPE_CHECKING"


def _without_docstring(node: ast.AST) -> Iterator[ast.AST]:
    skipped = None
    if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and ast.get_docstring(node):
        skipped = node.body[0]
    return (child for child in ast.iter_child_nodes(node) if child is not skipped)
