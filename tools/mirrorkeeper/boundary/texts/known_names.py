"""Names that stand for a few texts, each of which the file holds: those of loops and of parameters of tests. Pure.

Theory of operation: a name is known where one loop over literals, or pytest by its mark, is all that binds it. A list
with the name of a constant counts where nothing in the file uses it but loops; another file that puts the package's
name into such a list is a finding there.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from ...folding import looped
from ...syntax_tree import nodes_of, nodes_of_kind
from ..package_names import PackageNames
from .given_values import Bindings
from .parameters import parameters_of_tests
from .searched_texts import called
from .tables.named_tables import PART, REACHING, columns_of_tables

_ADDING = frozenset({"append", "extend", "insert", "add", "update", "appendleft", "__iadd__", "__setitem__"})
_SETTING = frozenset({"setattr", "__setattr__", "patch", "object"})


def known_names(tree: ast.Module) -> Mapping[str, tuple[str, ...]]:
    """Return the texts that each known name can stand for; a name of a relative module is left out."""
    bound, bindings = _bound(tree), Bindings(tree)
    found = {name: texts for name, texts in looped(tree).items() if bound[name] == 1}
    for name, listed in _of_lists(tree, bindings, bound):
        if bound[name] == 1 and (texts := _absolute(listed)):
            found[name] = texts
    for name, column in columns_of_tables(tree, bindings):
        whole = _literal if name.endswith(PART) else _absolute
        if bound[name.removesuffix(PART)] == 1 and (texts := whole(column)):
            found[name] = texts
    tables: dict[str, list[Sequence[ast.expr]]] = {}
    for name, table in parameters_of_tests(tree, bindings):
        tables.setdefault(name, []).append(table)
    for name, given in tables.items():
        # Several tests may have a parameter of this name, each with a mark.
        if bound[name] == len(given) and all(map(_absolute, given)):
            found[name] = tuple(text for table in given for text in _absolute(table))
    return found


def _absolute(table: Sequence[ast.expr]) -> tuple[str, ...]:
    """Return the texts of a table; none where one of them is no literal, or a relative name."""
    texts = _literal(table)
    return () if any(one.startswith(".") for one in texts) else texts


def key_of(node: ast.expr) -> str:
    """Return the key of a known name, or of a value that a subscript takes out of one; empty of anything else."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Subscript(value=ast.Name(id=name)):
            return name + PART
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="get"), args=[_], keywords=[]):
            return name + PART
    return ""


def _literal(table: Sequence[ast.expr]) -> tuple[str, ...]:
    texts = [one.value for one in table if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    return tuple(texts) if len(texts) == len(table) else ()


def _bound(tree: ast.Module) -> Counter[str]:
    """Return how often each name is bound, by whatever statement."""
    found: Counter[str] = Counter()
    for node in nodes_of(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.arg(arg=name):
                found[name] += 1
            case ast.alias(name=name, asname=other):
                found[other or name.partition(".")[0]] += 1
            case ast.ExceptHandler(name=str() as name) | ast.MatchAs(name=str() as name):
                found[name] += 1
            case ast.MatchStar(name=str() as name) | ast.MatchMapping(rest=str() as name):
                found[name] += 1
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                found[name] += 1
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                found.update(names)
    return found


def _of_lists(tree: ast.Module, bindings: Bindings, bound: Mapping[str, int]) -> Iterator[tuple[str, list[ast.expr]]]:
    """Yield the names of loops over a list that has a name, and that the file uses for loops alone."""
    loops: list[ast.For | ast.AsyncFor | ast.comprehension] = nodes_of_kind(
        tree, ast.For, ast.AsyncFor, ast.comprehension
    )
    if any(one.name == "*" for node in nodes_of_kind(tree, ast.ImportFrom) for one in node.names):
        return  # which may bind any name
    iterated = {id(one.iter) for one in loops}
    for node in nodes_of_kind(tree, ast.Assign):
        target = node.targets[0]
        if not isinstance(node.value, ast.List) or not isinstance(target, ast.Name) or len(node.targets) > 1:
            continue
        if not target.id.isupper():  # of which another file that changes it could not be told
            continue
        only = bound[target.id] == 1 and bindings.is_used_only(target.id, iterated, bound=("Name",))
        if only and not bindings.mentions(REACHING | {target.id}):
            for one in loops:
                if isinstance(one.iter, ast.Name) and one.iter.id == target.id and isinstance(one.target, ast.Name):
                    yield one.target.id, node.value.elts


def handed_names(tree: ast.Module, guarded: PackageNames) -> Iterator[tuple[int, str]]:
    """Yield line and name where a constant of another module is given a name of the package."""
    taken = {
        one.asname or one.name
        for node in nodes_of_kind(tree, ast.ImportFrom)
        for one in node.names
        if one.name.isupper()
    }
    for value in (*_added(tree, taken), *_replaced(tree)):
        for one in value.elts if isinstance(value, ast.List | ast.Tuple | ast.Set) else (value,):
            if isinstance(one, ast.Constant) and isinstance(one.value, str) and guarded.own(one.value):
                yield one.lineno, one.value


def _added(tree: ast.Module, taken: set[str]) -> Iterator[ast.expr]:
    for call in nodes_of_kind(tree, ast.Call):
        if isinstance(call.func, ast.Attribute) and call.func.attr in _ADDING and _is_foreign(call.func.value, taken):
            yield from call.args
    for node in nodes_of_kind(tree, ast.AugAssign):
        if _is_foreign(node.target, taken):
            yield node.value
    for one in nodes_of_kind(tree, ast.Assign):
        if any(isinstance(target, ast.Subscript) and _is_foreign(target.value, taken) for target in one.targets):
            yield one.value


def _replaced(tree: ast.Module) -> Iterator[ast.expr]:
    for node in nodes_of_kind(tree, ast.Assign):
        if any(isinstance(target, ast.Attribute) and target.attr.isupper() for target in node.targets):
            yield node.value
    for call in nodes_of_kind(tree, ast.Call):
        texts = [one.value for one in call.args if isinstance(one, ast.Constant) and isinstance(one.value, str)]
        if called(call.func) in _SETTING and any(text.rpartition(".")[2].isupper() for text in texts):
            yield from (*call.args, *(word.value for word in call.keywords))


def _is_foreign(node: ast.expr, taken: set[str]) -> bool:
    return (isinstance(node, ast.Name) and node.id in taken) or (
        isinstance(node, ast.Attribute) and node.attr.isupper()
    )
