"""Names that a file makes of its own one: constants that begin with it, and what `pkgutil` lists below it. Pure.

Theory of operation: a constant counts at the top of a module alone, written in capitals. Another file that gives a
constant of this kind the package's name is a finding there (`known_names.handed_names`).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from ...syntax_tree import nodes_of_kind
from ..commands.patterns import GAP
from .computed_names import written
from .given_values import Bindings
from .own_names import MARKS

_WALKING = frozenset({"walk_packages", "iter_modules"})
_Loop = ast.For | ast.AsyncFor | ast.comprehension


def made_of_own(tree: ast.Module, standing: Mapping[str, str]) -> Mapping[str, str]:
    """Return the text that each name stands for: those of `standing`, and those made of them."""
    bindings = Bindings(tree)
    found = dict(standing)
    for node in tree.body if standing else ():
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                pass
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                pass
            case _:
                continue
        text = written(value, found) if name.isupper() else None
        if text is not None and text.startswith(MARKS) and bindings.is_bound_once(name):
            found[name] = text
    found.update(_walked(tree, bindings, found))
    return found


def _walked(tree: ast.Module, bindings: Bindings, names: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the names of modules that loops over `pkgutil` take, each with its prefix before a gap."""
    loops: list[_Loop] = nodes_of_kind(tree, ast.For, ast.comprehension)
    for loop in loops:
        call = loop.iter
        if not isinstance(call, ast.Call) or not _walks(call, bindings):
            continue
        given = call.args[1] if call.args[1:] else None
        prefix = written(next((word.value for word in call.keywords if word.arg == "prefix"), given), names)
        match loop.target:
            case ast.Name(id=name):
                taken = f"{name}.name"
            case ast.Tuple(elts=[ast.Name(), ast.Name(id=name), ast.Name()]):
                taken = name
            case _:
                continue
        if prefix is not None and bindings.is_bound_once(name):
            yield taken, prefix + GAP


def _walks(call: ast.Call, bindings: Bindings) -> bool:
    if any(isinstance(one, ast.Starred) for one in call.args) or any(word.arg is None for word in call.keywords):
        return False
    match call.func:
        case ast.Attribute(value=ast.Name(), attr=name) if name in _WALKING:
            return bindings.calls(call, "pkgutil")
        case ast.Name(id=name) if name in _WALKING:
            return bindings.is_from("pkgutil", name)
    return False
