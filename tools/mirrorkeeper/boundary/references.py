"""Every way a Python file can refer to the guarded package, found on its syntax tree. Pure."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum

from ..syntax_tree import children, nodes_of_kind, parsed, shown
from .commands.patterns import GAP, command_of
from .commands.started_programs import line_of_words, literal_words
from .package_names import PackageNames
from .texts.computed_names import anchored_at, may_be, relative, written
from .texts.hidden import hidden_imports, key_of_modules
from .texts.known_names import handed_names, key_of, known_names
from .texts.made_names import made_of_own
from .texts.own_names import given_names, spelled_out, standing_for
from .texts.pieced_texts import pieced_texts
from .texts.searched_texts import asked_of_modules, called, searched_for
from .texts.settings import imports_by_settings
from .texts.worth_reading import IMPORTERS, ONLY_BY_TEXT, RUNNERS

_LIBRARIES = {"importlib", "importlib.util", "importlib.resources", "importlib.machinery", "pkgutil", "runpy", "pydoc"}
_DESCRIBED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
# Nodes that may be a reference by themselves, beside texts.
_ALONE: tuple[type[ast.AST], ...] = (
    ast.Import, ast.ImportFrom, ast.JoinedStr, ast.Call, ast.List, ast.Tuple, ast.Subscript,
)  # fmt: skip
_DOTTED = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)+(:[A-Za-z_][\w.]*)?")


class ReferenceKind(Enum):
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
    kind: ReferenceKind


def references(
    tree: ast.Module, names: PackageNames, inside: str = "", module: str = "", *, pieced: bool = True
) -> Iterator[Reference]:
    """Yield every reference to the package, and every dynamic import of a computed name, in order of lines.

    Args:
        tree: a file of Python.
        names: the package.
        inside: the dotted name of the folder that the file lies in.
        module: the dotted name of the file; empty when it has none.
        pieced: whether texts are put together from pieces; `may_piece_together` says where there are none.
    """
    hidden = (Reference(line, text, ReferenceKind.UNKNOWN) for line, text in hidden_imports(tree))
    whole = (
        *(pieced_texts(tree, names) if pieced else ()),
        *imports_by_settings(tree, names),
        *given_names(tree, names),
        *handed_names(tree, names),
    )
    commands = (Reference(line, text, ReferenceKind.DYNAMIC) for line, text in whole)
    found = sorted(
        {*_Finder(names, inside, module).look(tree), *hidden, *commands},
        key=lambda one: (one.line, one.target, one.kind.value),
    )
    yield from found


class _Finder:
    """Tree walker that knows the context of a node: a function, a block for type checkers only."""

    def __init__(self, names: PackageNames, inside: str, module: str) -> None:
        self._names = names
        self._inside = inside
        self._module = module
        self._standing: Mapping[str, str] = {}
        self._tree = ast.Module([], [])
        self._importers: dict[str, str] = {}
        self._looped: Mapping[str, tuple[str, ...]] = {}

    def look(self, tree: ast.Module) -> Iterator[Reference]:
        self._importers = {name: name for name in IMPORTERS} | dict(_renamed(tree))
        self._looped = known_names(tree)
        self._standing = made_of_own(tree, standing_for(tree, self._module))
        self._tree = tree
        if self._may_find(tree):
            yield from self._walk(tree, late=False, typed=False)

    def _may_find(self, tree: ast.Module) -> bool:
        """Return whether a node is a reference wherever it stands: quick, and what most files lack."""
        package = self._names.package
        for one in nodes_of_kind(tree, ast.Constant):
            held = package in one.value if isinstance(one.value, str) else isinstance(one.value, bytes)
            if held and any(self._alone(one, ReferenceKind.TEXT)):
                return True
        for call in nodes_of_kind(tree, ast.Call):
            name = _imported_by(call, self._importers)
            if any(self._run(call, late=False, typed=False)) or (name is not None and any(self._dynamic(call, name))):
                return True
        return any(any(self._alone(node, ReferenceKind.IMPORT)) for node in nodes_of_kind(tree, *_ALONE))

    def _walk(self, tree: ast.AST, *, late: bool, typed: bool) -> Iterator[Reference]:
        """Yield the references in a tree, in no order: a long sum is a deep tree, so that none is walked by calls."""
        waiting: list[tuple[ast.AST, bool, bool]] = [(tree, late, typed)]
        while waiting:
            node, late, typed = waiting.pop()
            dynamic = None
            if isinstance(node, ast.Call):
                yield from self._run(node, late=late, typed=typed)
                dynamic = _imported_by(node, self._importers)
            if isinstance(node, ast.Call) and dynamic is not None:
                yield from self._dynamic(node, dynamic)
                # The name was judged with its call; other arguments are looked at like everything else.
                parts = (node.func, *node.args[1:], *(word.value for word in node.keywords))
                waiting += [(part, late, typed) for part in parts if part is not dynamic]
                continue
            kind = ReferenceKind.TYPED if typed else ReferenceKind.LATE if late else ReferenceKind.IMPORT
            yield from self._alone(node, kind)
            if isinstance(node, ast.If) and _is_for_types(node.test):
                waiting += [(statement, late, True) for statement in node.body]
                waiting += [(statement, late, typed) for statement in node.orelse]
                continue
            inside = late or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
            waiting += [(child, inside, typed) for child in _without_docstring(node)]

    def _alone(self, node: ast.AST, kind: ReferenceKind) -> Iterator[Reference]:
        """Yield the references that a node is by itself; an import is one of this kind."""
        match node:
            case ast.Import() | ast.ImportFrom():
                yield from self._imports(node, kind)
            case ast.Constant() | ast.JoinedStr():
                yield from self._text(node)
            case ast.Call() | ast.List() | ast.Tuple() | ast.Subscript():
                yield from self._listed(node)
                yield from self._subscript(node)

    def _imports(self, node: ast.Import | ast.ImportFrom, kind: ReferenceKind) -> Iterator[Reference]:
        if isinstance(node, ast.Import):
            yield from (Reference(node.lineno, name.name, kind) for name in node.names if self._names.own(name.name))
        else:
            module = relative("." * node.level + (node.module or ""), self._inside)
            for name in node.names:
                if self._names.own(f"{module}.{name.name}"):
                    yield Reference(node.lineno, f"{module}.{name.name}", kind)

    def _dynamic(self, call: ast.Call, name: ast.expr) -> Iterator[Reference]:
        package = next((word.value for word in call.keywords if word.arg == "package"), None)
        anchor = anchored_at(package or (call.args[1] if call.args[1:] else None), self._inside, self._standing)
        known = [relative(one, anchor) for one in self._looped.get(key_of(name), ())]
        if known and not any(GAP in one for one in known):
            yield from (Reference(name.lineno, one, ReferenceKind.DYNAMIC) for one in filter(self._names.own, known))
            return
        text = written(name, self._standing)
        if text is not None:
            text = relative(text.partition(":")[0], anchor)
        texts = spelled_out(GAP if text is None else text, self._module)
        if text is not None and GAP not in text:
            for one in filter(self._names.own, texts):
                if " " not in one:  # what has a space is the text of another function
                    yield Reference(name.lineno, one, ReferenceKind.DYNAMIC)
        elif self._importers.get(called(call.func), "") in ONLY_BY_TEXT:
            return
        elif any(may_be(one, self._names) for one in texts):
            yield Reference(name.lineno, shown(name), ReferenceKind.UNKNOWN)

    def _run(self, call: ast.Call, *, late: bool, typed: bool) -> Iterator[Reference]:
        """Look into source text that is executed."""
        source = call.args[0] if call.args else None
        text = source.value if isinstance(source, ast.Constant) else None
        if isinstance(call.func, ast.Name) and call.func.id in RUNNERS and isinstance(text, str | bytes):
            try:
                tree = parsed(text)
            except (SyntaxError, ValueError):
                return
            for one in self._walk(tree, late=late, typed=typed):
                yield Reference(call.lineno, one.target, ReferenceKind.DYNAMIC)

    def _listed(self, node: ast.AST) -> Iterator[Reference]:
        """Find a command that starts the package, as a list of its words or as the arguments of a call."""
        words_of = node.elts if isinstance(node, ast.List | ast.Tuple) else getattr(node, "args", ())
        if not isinstance(node, ast.List | ast.Tuple | ast.Call) or not words_of[1:]:
            return
        words = literal_words(words_of)
        named = any(word is not None and self._names.own(word) for word in words)
        if named and command_of(self._names).search(line_of_words(words, node, self._tree)):
            yield Reference(node.lineno, self._names.package, ReferenceKind.DYNAMIC)

    def _subscript(self, node: ast.AST) -> Iterator[Reference]:
        """Find the package taken from `sys.modules`."""
        if self._names.own(key := key_of_modules(node)):
            yield Reference(getattr(node, "lineno", 0), key, ReferenceKind.DYNAMIC)

    def _text(self, node: ast.Constant | ast.JoinedStr) -> Iterator[Reference]:
        text = node.value if isinstance(node, ast.Constant) else _shape(node, "x")
        text = text.decode("latin-1") if isinstance(text, bytes) else text
        if not isinstance(text, str) or self._names.package not in text:
            return
        # What a file only searches for is asked last, as it takes a look at the whole tree.
        if _DOTTED.fullmatch(text) and self._names.own(text.partition(":")[0]):
            if id(node) not in searched_for(self._tree) or id(node) in asked_of_modules(self._tree):
                yield Reference(node.lineno, text, ReferenceKind.TEXT)
            return
        line = _shape(node, GAP) if isinstance(node, ast.JoinedStr) else text
        if command_of(self._names).search(line) and id(node) not in searched_for(self._tree):
            yield Reference(node.lineno, self._names.package, ReferenceKind.DYNAMIC)


def _shape(node: ast.JoinedStr, gap: str) -> str:
    """A formatted text with a word in each gap, so that its fixed part can be recognized."""
    return "".join(str(part.value) if isinstance(part, ast.Constant) else gap for part in node.values)


def _renamed(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield the other names a file gives to functions that import."""
    for node in nodes_of_kind(tree, ast.ImportFrom):
        if node.module in _LIBRARIES:
            yield from ((name.asname, name.name) for name in node.names if name.asname and name.name in IMPORTERS)


def _imported_by(call: ast.Call, importers: Mapping[str, str]) -> ast.expr | None:
    if called(call.func) not in importers:
        return None
    if call.args:
        return call.args[0]
    return next((word.value for word in call.keywords if word.arg in ("name", "mod_name")), None)


def _is_for_types(test: ast.expr) -> bool:
    name = test.attr if isinstance(test, ast.Attribute) else getattr(test, "id", "")
    return name == "TYPE_CHECKING"


def _without_docstring(node: ast.AST) -> list[ast.AST]:
    if isinstance(node, ast.JoinedStr):  # its fixed parts were judged as one text
        return [part for part in node.values if not isinstance(part, ast.Constant)]
    if isinstance(node, _DESCRIBED) and ast.get_docstring(node, clean=False):
        return [child for child in children(node) if child is not node.body[0]]
    return children(node)
