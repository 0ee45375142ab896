"""Paths written out in Python code instead of taken from the tables, found on syntax trees. Pure."""

from __future__ import annotations

import ast
import itertools
import re
from collections import ChainMap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import unquote

from ..findings import Finding
from ..folding import HOLE, constants, folded, looped
from ..syntax_tree import children, inner_sums, is_sum, nodes_of_kind, terms
from ..text import raw_path
from .methods import MethodSearch

# Of the expressions that `folded` knows; names and gaps are judged where they are used.
_MAKING_TEXT: tuple[type[ast.expr], ...] = (ast.Constant, ast.JoinedStr, ast.NamedExpr, ast.BinOp, ast.Call)
_FIX = "take it from the tables of the contract"


@dataclass(frozen=True)
class Vocabulary:
    """The names that the tables give to the code.

    Attributes:
        literals: paths that no code may write out itself.
        names: the constants of the tables that hold a text.
        functions: the functions that turn the name of a row into its path; they raise for an unknown name.
        private: functions of the tables that no other code may use.
        own: the names of the rows of own paths.
        methods: the methods of each path, and of each row of own paths by its name.
    """

    literals: tuple[str, ...]
    names: Mapping[str, str]
    functions: Mapping[str, Callable[[str], str]]
    own: frozenset[str] = frozenset()
    private: frozenset[str] = frozenset()
    methods: Mapping[str, frozenset[str]] = field(default_factory=dict)


class WrittenLiterals:
    """Recognizes a path of the tables in a text: relative, absolute, after a host or after an unknown piece."""

    def __init__(self, literals: Sequence[str]) -> None:
        paths = "|".join(re.escape(path.removeprefix("/")) for path in literals if "/" in path[1:])
        single = "|".join(re.escape(path) for path in literals)
        before = rf"(?:^/?(?:\.{{1,2}}/)*|{HOLE}/?|://\S*/)"
        self._pattern = re.compile(
            rf"(?:{before}(?:{paths or '(?!)'})|(?:^|{HOLE}|://[^/\s]*)(?:{single}))(?=$|[/?#{HOLE}])"
        )
        # Most texts of a program have no slash, and so hold no path that has one.
        self._marks = ("/", "%2f", "%2F") if all("/" in path for path in literals) else ("",)

    def __call__(self, text: str) -> bool:
        """Return whether the text spells one of the paths, or one below it, percent-encoded or not."""
        if not any(mark in text for mark in self._marks):
            return False
        return self._pattern.search(text) is not None or self._pattern.search(unquote(text)) is not None


def literal_findings(tree: ast.Module, shown: str, words: Vocabulary) -> Iterator[Finding]:
    """Find every path that is written out, put together from pieces, or asked for by a name or method of no table.

    Descriptions are left out; a finding names file and line.
    """
    described = {id(node.value) for node in nodes_of_kind(tree, ast.Expr) if isinstance(node.value, ast.Constant)}
    search = _Search(tree, shown, words)
    if search.may_find(tree, described):
        yield from search.findings(tree, described)
    yield from MethodSearch(tree, search.names, search.functions, words.methods).findings(tree, shown)


class _Search:
    def __init__(self, tree: ast.Module, shown: str, words: Vocabulary) -> None:
        self._shown = shown
        self._words = words
        self._written = WrittenLiterals(words.literals)
        self._extended = re.compile("|".join(rf"{re.escape(path)}/[^/]" for path in words.literals) or r"(?!)")
        self._constants = constants(tree)
        self._inner = inner_sums(tree)
        # The names of the file again for each text that a loop gives to one of them.
        self._loops = [
            ChainMap({name: text}, self._constants) for name, texts in looped(tree).items() for text in texts
        ]
        taken = {
            alias.asname or alias.name: words.names[alias.name]
            for node in nodes_of_kind(tree, ast.ImportFrom)
            for alias in node.names
            if alias.name in words.names
        }
        self.names = {**words.names, **self._constants, **taken}
        self.functions = {**words.functions, **_aliases(tree, words.functions)}

    def may_find(self, tree: ast.AST, described: set[int]) -> bool:
        """Return whether a node is judged to be a finding, wherever it stands: quick, and what most files lack."""
        if any(any(self._private(node)) for node in nodes_of_kind(tree, ast.ImportFrom)):
            return True
        return any(self._judged(node) for node in nodes_of_kind(tree, *_MAKING_TEXT) if id(node) not in described)

    def findings(self, tree: ast.AST, described: set[int]) -> Iterator[Finding]:
        """Yield the findings in the order of the tree; below one, nothing is looked for."""
        waiting = [tree]
        while waiting:
            node = waiting.pop()
            if id(node) in described:
                continue
            if isinstance(node, ast.ImportFrom):
                yield from self._private(node)
            found = self._judged(node)
            if found is None:
                waiting.extend(reversed(children(node)))
            else:
                yield found

    def _judged(self, node: ast.AST) -> Finding | None:
        if isinstance(node, ast.Call) and (found := self._unknown(node)) is not None:
            return found
        if not isinstance(node, _MAKING_TEXT) or id(node) in self._inner:
            return None
        text = folded(node, self._constants)
        if text is not None and HOLE in text and not self._written(text):
            text = next(filter(self._written, self._looped(node)), text)
        if text is not None and self._written(text):
            verb = "writes out" if isinstance(node, ast.Constant) else "puts together"
            return self._finding("CON012", f"{verb} the path {_plain(text)!r}", node)
        if isinstance(node, ast.Constant):
            return None
        text = folded(node, self.names)
        if text is not None and self._extended.search(text):
            return self._finding("CON012", f"puts together the path {_plain(text)!r}", node)
        below = self._below_a_row(node)
        return None if below is None else self._finding("CON012", f"puts together a path: a row and {below!r}", node)

    def _looped(self, node: ast.expr) -> Iterator[str]:
        """Yield the text of an expression for each text that a loop gives to a name."""
        yield from filter(None, (folded(node, names) for names in self._loops))

    def _private(self, node: ast.ImportFrom) -> Iterator[Finding]:
        for alias in node.names:
            if alias.name in self._words.private:
                yield self._finding("CON012", f"takes {alias.name} of the tables, which asks for no row", node)

    def _below_a_row(self, node: ast.expr) -> str | None:
        """Return the text that turns the path of a row into a path below it; a query is none."""
        pieces = _pieces(node)
        for before, after in itertools.pairwise(pieces):
            text = folded(after, self.names)
            if self._function(before) is not None and text is not None and re.match(r"/[^?#]", text):
                return text
        return None

    def _function(self, node: ast.expr) -> Callable[[str], str] | None:
        """Return the function of the tables that an expression calls."""
        if not isinstance(node, ast.Call):
            return None
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        return self.functions.get(name)

    def _unknown(self, node: ast.Call) -> Finding | None:
        function = self._function(node)
        given = [*node.args, *(keyword.value for keyword in node.keywords)]
        text = folded(given[0], self.names) if function and given else None
        if function is None or text is None or HOLE in text:
            return None
        try:
            function(text)
        except (KeyError, AttributeError):  # a name that no row has, or one where a member of another table is wanted
            return self._finding("CON015", f"asks for the path {text!r}, which is in no table", node)
        return None

    def _finding(self, code: str, text: str, node: ast.expr | ast.stmt) -> Finding:
        fix = _FIX if code == "CON012" else "add a row to the tables of the contract, or correct the name"
        return Finding(code, raw_path(self._shown), text, fix, node.lineno)


def _aliases(tree: ast.Module, functions: Mapping[str, Callable[[str], str]]) -> dict[str, Callable[[str], str]]:
    return {
        alias.asname: functions[alias.name]
        for node in nodes_of_kind(tree, ast.ImportFrom)
        for alias in node.names
        if alias.asname and alias.name in functions
    }


def _pieces(node: ast.expr) -> list[ast.expr]:
    """Return the parts that a sum or an f-string joins, from left to right."""
    if is_sum(node):
        return [piece for term in terms(node) for piece in _pieces(term)]
    if isinstance(node, ast.JoinedStr):
        return [part.value if isinstance(part, ast.FormattedValue) else part for part in node.values]
    return [node]


def _plain(text: str) -> str:
    return text.replace(HOLE, "…")
