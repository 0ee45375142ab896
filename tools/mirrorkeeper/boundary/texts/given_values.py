"""Values of the names in a file, as far as the file alone shows, and values it only compares. Pure."""

from __future__ import annotations

import ast
from collections.abc import Collection
from functools import cached_property, lru_cache

from ...syntax_tree import KEPT, nodes_of, nodes_of_kind

_READING = frozenset(
    {"read", "read_text", "read_bytes", "decode", "splitlines", "readlines", "strip", "lower", "upper", "getvalue"}
)
_OUTPUT = frozenset({"stdout", "stderr"})
_MAKING = frozenset({"str", "repr"})
_REPLACING = frozenset({"modules", "globals", "vars", "locals", "__dict__", "__builtins__", "builtins"})
_ANY = frozenset({"__getattr__", "__getattribute__", "__class__", "type"})


@lru_cache(maxsize=KEPT)
def tested(tree: ast.Module) -> frozenset[int]:
    """Return the ids of expressions whose value is only true or false to the file, or compared with a literal."""
    waiting: list[ast.expr] = []
    for node in nodes_of(tree):
        if isinstance(node, ast.Assert | ast.If | ast.While | ast.IfExp):
            waiting.append(node.test)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            waiting.append(node.operand)
        elif isinstance(node, ast.comprehension):
            waiting += node.ifs
        elif isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            others = [one for one in sides if not _is_literal(one)]
            waiting += others if len(others) == 1 else []
    found: set[int] = set()
    while waiting:
        one = waiting.pop()
        found.add(id(one))
        if isinstance(one, ast.BoolOp):
            waiting += one.values
    return frozenset(found)


def _is_literal(node: ast.expr) -> bool:
    inner = node.operand if isinstance(node, ast.UnaryOp) else node
    return isinstance(inner, ast.Constant) or (isinstance(inner, ast.List | ast.Tuple) and not inner.elts)


class Bindings:
    """The names of one file, and their values."""

    def __init__(self, tree: ast.Module) -> None:
        """Keep the tree; it is searched on demand."""
        self._tree = tree

    def is_own(self, module: str) -> bool:
        """Return whether a name is that of the module it says: imported, used for its attributes, never replaced."""
        imported = [alias for node in nodes_of_kind(self._tree, ast.Import) for alias in node.names]
        named = [one for one in imported if module in (one.name, one.asname)]
        if not named or any(one.name != module or one.asname not in (None, module) for one in named) or self._star:
            return False
        attributes: list[ast.Attribute] = nodes_of_kind(self._tree, ast.Attribute)
        plain = {id(one.value) for one in attributes if isinstance(one.ctx, ast.Load) and not one.attr.startswith("__")}
        if not self.is_used_only(module, plain, bound=("alias",)):
            return False
        return not ({module} & self._texts and _REPLACING & self._words)

    def is_from(self, module: str, name: str) -> bool:
        """Return whether a name is taken from a module, and nothing else is bound to it."""
        taken = [
            node for node in nodes_of_kind(self._tree, ast.ImportFrom) if any(one.name == name for one in node.names)
        ]
        return (
            len(taken) == 1
            and taken[0].module == module
            and not taken[0].level
            and not self._star
            and not {name, f"{module}.{name}"} & self._texts
            and len(self._bound(name)) == 1
        )

    def calls(self, call: ast.Call, module: str) -> bool:
        """Return whether a call is one of a function of that module, as it is known."""
        function = call.func
        if not isinstance(function, ast.Attribute) or not isinstance(function.value, ast.Name):
            return False
        replaced = self.is_given(function.attr, methods=False) or f"{module}.{function.attr}" in self._texts
        return function.value.id == module and not replaced and self.is_own(module)

    def is_given(self, name: str, *, methods: bool = True) -> bool:
        """Return whether the file may give an attribute of this name to anything, or define a method of it."""
        if name in self._texts or _ANY & self._words:
            return True
        return any(methods or isinstance(node, ast.Attribute | ast.keyword) for node in self._bound(name))

    def is_bound(self, name: str) -> bool:
        """Return whether the file may bind a name, whatever to."""
        return bool(self._bound(name)) or name in self._texts or self._star

    def is_bound_once(self, name: str) -> bool:
        """Return whether one place of the file binds a name, and nothing in it can otherwise."""
        return len(self._bound(name)) == 1 and name not in self._texts and not self._star

    def is_parameter(self, name: str) -> bool:
        """Return whether a name is one of parameters alone."""
        return all(isinstance(node, ast.arg) for node in self._bound(name))

    def mentions(self, words: Collection[str]) -> bool:
        """Return whether one of the words is a name, an attribute or a whole text of the file.

        A word that only names a parameter or a variable, and the text that declares a parameter, is not one.
        """
        names = {one for one in words if one in _declared(self._tree)}
        return bool((set(words) - names) & (self._words | self._texts)) or bool(names & self._texts_beside)

    def is_used_only(self, name: str, places: Collection[int], bound: Collection[str] = ()) -> bool:
        """Return whether every use of a name is at one of these places, and no scope shares it with others.

        Args:
            name: of a variable.
            places: ids of the uses that are allowed.
            bound: kinds of nodes that alone may bind it; any, when empty.
        """
        uses = [one for one in nodes_of_kind(self._tree, ast.Name) if one.id == name and isinstance(one.ctx, ast.Load)]
        if any(id(one) not in places for one in uses):
            return False
        kinds = {type(one).__name__ for one in self._bound(name)}
        return kinds <= set(bound) if bound else not kinds & {"Global", "Nonlocal", "alias", "keyword"}

    def is_text(self, node: ast.expr, seen: frozenset[str] = frozenset()) -> bool:
        """Return whether an expression is a text, or a list of lines: of a file or a process, or a literal."""
        if isinstance(node, ast.Constant | ast.JoinedStr):
            return True
        if isinstance(node, ast.Attribute):
            return node.attr in _OUTPUT and not self.is_given(node.attr)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            return node.func.attr in _READING and not self.is_given(node.func.attr)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            return node.func.id in _MAKING and not self._bound(node.func.id) and not self._star
        if not isinstance(node, ast.Name) or node.id in seen:
            return False
        bound = self._bound(node.id)
        seen = seen | {node.id}
        return bool(bound) and all(self._binds_text(one, seen) for one in bound)

    def _binds_text(self, node: ast.AST, seen: frozenset[str]) -> bool:
        if isinstance(node, ast.arg):
            kind = node.annotation
            return isinstance(kind, ast.Name) and kind.id in ("str", "bytes") and not self._bound(kind.id)
        value = self._values.get(id(node))
        return value is not None and self.is_text(value, seen)

    @cached_property
    def _values(self) -> dict[int, ast.expr]:
        """The values of names in plain assignments and loops, by the ids of the names where they are bound."""
        found = {}
        for node in nodes_of_kind(self._tree, ast.Assign):
            found.update({id(one): node.value for one in node.targets})
        loops: list[ast.For | ast.comprehension] = nodes_of_kind(self._tree, ast.For, ast.comprehension)
        found.update({id(one.target): one.iter for one in loops if isinstance(one.iter, ast.Call)})
        return found

    @cached_property
    def _all_bound(self) -> dict[str, list[ast.AST]]:
        found: dict[str, list[ast.AST]] = {}
        for node in nodes_of(self._tree):
            if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load):
                continue
            for field in () if isinstance(node, ast.Constant) else node._fields:
                value = getattr(node, field, None)
                for one in value if isinstance(value, list) else (value,):
                    if isinstance(one, str):
                        found.setdefault(one, []).append(node)
        return found

    def _bound(self, name: str) -> list[ast.AST]:
        """Return the nodes that bind a name, give an attribute of it, or hand on a value under it."""
        return self._all_bound.get(name, [])

    @cached_property
    def _star(self) -> bool:
        return "*" in self._all_bound

    @cached_property
    def _texts(self) -> frozenset[str]:
        return frozenset(one.value for one in nodes_of_kind(self._tree, ast.Constant) if isinstance(one.value, str))

    @cached_property
    def _texts_beside(self) -> frozenset[str]:
        """The texts of the file but for those that name the parameters of a test."""
        naming = {
            id(call.args[0])
            for call in nodes_of_kind(self._tree, ast.Call)
            if call.args and isinstance(call.func, ast.Attribute) and call.func.attr == "parametrize"
        }
        constants = nodes_of_kind(self._tree, ast.Constant)
        return frozenset(one.value for one in constants if isinstance(one.value, str) and id(one) not in naming)

    @cached_property
    def _words(self) -> frozenset[str]:
        loaded = {
            one.id if isinstance(one, ast.Name) else one.attr
            for one in nodes_of(self._tree)
            if isinstance(one, ast.Name | ast.Attribute)
        }
        return frozenset({*loaded, *self._all_bound})


def _declared(tree: ast.Module) -> frozenset[str]:
    arguments = {one.arg for one in nodes_of_kind(tree, ast.arg)}
    stored = {one.id for one in nodes_of_kind(tree, ast.Name) if isinstance(one.ctx, ast.Store)}
    return frozenset(arguments | stored) - {"request"}
