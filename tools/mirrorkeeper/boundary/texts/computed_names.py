"""Module names that an import by text is given: the text where it stands there whole, or its fixed part. Pure."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from ...syntax_tree import terms
from ..commands.patterns import GAP
from ..package_names import PackageNames
from .own_names import AROUND, part_of_own


def written(node: ast.expr | None, names: Mapping[str, str] | None = None) -> str | None:
    """Return the text of literals side by side, sums and f-strings, with `GAP` for each unknown part; None of others.

    Methods of texts are left out: one that is not known would make another name of it.

    Args:
        node: the expression.
        names: the text each name, or name with an attribute, stands for, where it stands for one.
    """
    match node:
        case ast.Name() | ast.Attribute(value=ast.Name()) if names and (known := names.get(ast.unparse(node))):
            return known
        case ast.Constant(value=str() as text):
            return text
        case ast.JoinedStr(values=values):
            return "".join(_known(value, names) for value in values)
        case ast.FormattedValue(value=value, conversion=-1, format_spec=None):
            return written(value, names)
        case ast.BinOp(op=ast.Add()):
            return "".join(_known(term, names) for term in terms(node))
    return None if node is None else part_of_own(node, names)


def _known(node: ast.expr, names: Mapping[str, str] | None) -> str:
    text = written(node, names)
    return GAP if text is None else text


def may_be(text: str, names: PackageNames) -> bool:
    """Return whether a name with unknown parts may be one of the package: whether its fixed beginning leads there."""
    fixed = text.partition(GAP)[0]
    places = (names.package, *(f"{folder}.{names.package}" for folder in names.folders))
    return any(f"{place}.".startswith(fixed) or fixed.startswith(f"{place}.") for place in places)


def relative(text: str, package: str) -> str:
    """Return a name that begins with dots as `importlib` resolves it within a package."""
    level = len(text) - len(text.lstrip("."))
    if not level or not package:
        return text
    parts = package.split(".")
    above = parts[: len(parts) - level + 1]
    return ".".join(one for one in (*above, text[level:]) if one)


def anchored_at(node: ast.expr | None, inside: str, names: Mapping[str, str]) -> str:
    """Return the package that a relative name is resolved in, for a file in the dotted folder `inside`."""
    if node is None or (isinstance(node, ast.Name) and node.id == "__package__"):
        return inside
    if isinstance(node, ast.Attribute) and written(node, names) == AROUND:
        return inside
    if isinstance(node, ast.Name) and node.id == "__name__" and inside:
        return f"{inside}.{GAP}"  # without the last part where it is the package itself
    return written(node) or GAP
