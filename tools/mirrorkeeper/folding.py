"""Texts put together from pieces, folded on the syntax tree into one text with holes for unknown pieces. Pure.

Theory of operation: concatenation, f-strings, `%`, `format`, `replace`, `join`, `chr`, slices by numbers, `/` between
paths, names of the same module that are bound once, and texts that are added to them, are folded; everything else is a
`HOLE`. Computed text stays out of reach: such a path meets the tables when it is used, because the functions of the
tables refuse names they do not have.
"""

from __future__ import annotations

import ast
import re
import string
import sys
from collections import Counter
from collections.abc import Mapping

from .syntax_tree import nodes_of_kind

HOLE = "\0"
_FIELD = re.compile(r"%(?:\((\w+)\))?[-#0 +]*[\d*]*(?:\.[\d*]+)?[a-zA-Z%]")
_SAME = frozenset({"decode", "encode", "strip", "lower", "rstrip", "lstrip"})
_PATHS = frozenset({"Path", "PurePath", "PosixPath", "PurePosixPath"})
_FOLDED = _SAME | _PATHS | {"chr", "str", "bytes", "replace", "format", "join"}
_PASSES = 3
_LONGEST = 10_000
_LONGEST_SUM = 1_000_000


def folded(node: ast.AST, names: Mapping[str, str]) -> str | None:
    """Return the text an expression makes, or None when it makes none that can be seen.

    Args:
        node: the expression.
        names: the text each name or attribute stands for.
    """
    text: str | None = None
    match node:
        case ast.Constant(value=str() as text):
            pass
        case ast.Constant(value=bytes() as raw):
            text = raw.decode("latin-1")
        case ast.JoinedStr(values=values):
            text = "".join(_piece(value, names) for value in values)
        case ast.FormattedValue(value=value, conversion=-1, format_spec=None) | ast.NamedExpr(value=value):
            text = folded(value, names)
        case ast.Name(id=name) | ast.Attribute(attr=name):
            text = names.get(name)
        case ast.BinOp():
            text = _operation(node, names)
        case ast.Call():
            text = _call(node, names)
        case ast.Subscript(value=value, slice=part):
            text = _part(folded(value, names), part)
    return text


def constants(tree: ast.Module) -> dict[str, str]:
    """Return the texts that names of a module stand for; a name that is bound more than once stands for none.

    A name that is bound once and then added to stands for the whole.
    """
    bound: list[tuple[str, ast.expr]] = []
    added: dict[str, list[ast.expr]] = {}
    for node in _in_order(tree):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                bound.append((name, value))
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                bound.append((name, value))
            case ast.AugAssign(target=ast.Name(id=name), op=ast.Add(), value=value):
                added.setdefault(name, []).append(value)
    if not bound:
        return {}
    count = Counter(node.id for node in nodes_of_kind(tree, ast.Name) if isinstance(node.ctx, ast.Store))
    found: dict[str, str] = {}
    for _ in range(_PASSES):
        for name, value in bound:
            more = added.get(name, [])
            text = folded(value, found) if count[name] == 1 + len(more) else None
            if text is not None:
                found[name] = text + "".join(_piece(each, found) for each in more)
    return found


def looped(tree: ast.Module) -> dict[str, tuple[str, ...]]:
    """Return the texts that a name takes in a loop over literals or over a tuple of the module.

    A name that is bound in another place as well, as a parameter too, is left out, and so are relative names.
    """
    loops = nodes_of_kind(tree, ast.For, ast.AsyncFor, ast.comprehension)
    if not loops:
        return {}
    stored = [node.id for node in nodes_of_kind(tree, ast.Name) if isinstance(node.ctx, ast.Store)]
    bound = Counter([*stored, *(node.arg for node in nodes_of_kind(tree, ast.arg))])
    tables = {
        node.targets[0].id: node.value
        for node in nodes_of_kind(tree, ast.Assign)
        if isinstance(node.value, ast.Tuple) and isinstance(node.targets[0], ast.Name)
        if len(node.targets) == 1 and bound[node.targets[0].id] == 1
    }
    found = {}
    for node in loops:
        if isinstance(node, ast.For | ast.AsyncFor | ast.comprehension) and isinstance(node.target, ast.Name):
            over = tables.get(node.iter.id) if isinstance(node.iter, ast.Name) else node.iter
            texts = over.elts if isinstance(over, ast.Tuple | ast.List | ast.Set) else []
            known = [one.value for one in texts if isinstance(one, ast.Constant) and isinstance(one.value, str)]
            absolute = not any(one.startswith(".") for one in known)
            if known and absolute and len(known) == len(texts) and bound[node.target.id] == 1:
                found[node.target.id] = tuple(known)
    return found


def _in_order(tree: ast.Module) -> list[ast.stmt]:
    """Return the assignments of a tree as they stand in its text."""
    found: list[ast.stmt] = nodes_of_kind(tree, ast.Assign, ast.AnnAssign, ast.AugAssign)
    return sorted(found, key=lambda node: (node.lineno, node.col_offset))


def _piece(node: ast.AST, names: Mapping[str, str]) -> str:
    text = folded(node, names)
    return HOLE if text is None else text


def _operation(node: ast.BinOp, names: Mapping[str, str]) -> str | None:
    """Fold operands from left to right, each term of a sum once: thousands of them take no longer than their texts."""
    later: list[ast.BinOp] = []
    first: ast.expr = node
    while isinstance(first, ast.BinOp):
        later.append(first)
        first = first.left
    text = folded(first, names)
    pieces = [] if text is None else [text]
    for one in reversed(later):
        right = folded(one.right, names)
        if not isinstance(one.op, ast.Add):
            text = _applied(_sum(pieces), one, right, names)
            pieces = [] if text is None else [text]
        elif pieces or right is not None:
            pieces += [*([] if pieces else [HOLE]), HOLE if right is None else right]
    return _sum(pieces)


def _sum(pieces: list[str]) -> str | None:
    """Return the text of a sum, of which the beginning will do; None where nothing of it is known."""
    if not pieces:
        return None
    kept, room = list[str](), _LONGEST_SUM
    for piece in pieces:
        if room <= 0:
            break
        kept.append(piece[:room])
        room -= len(piece)
    return "".join(kept)


def _applied(left: str | None, node: ast.BinOp, right: str | None, names: Mapping[str, str]) -> str | None:
    """Return what an operation other than `+` makes of the texts of its operands."""
    match node.op:
        case ast.Div() if left is not None or right is not None:
            return "/".join((HOLE if left is None else left.rstrip("/"), HOLE if right is None else right))
        case ast.Mod() if left is not None:
            return _filled(left, node.right, names)
        case ast.Mult() if left is not None and isinstance(node.right, ast.Constant):
            times = node.right.value
            return left * times if isinstance(times, int) and len(left) * times <= _LONGEST else None
    return None


def _filled(text: str, given: ast.expr, names: Mapping[str, str]) -> str:
    """Fill the fields of a `%`: one after the other, or by their names from a dictionary that stands there."""
    if isinstance(given, ast.Dict):
        named = {
            folded(key, names): value for key, value in zip(given.keys, given.values, strict=True) if key is not None
        }
        return _FIELD.sub(lambda field: _piece(named.get(field[1], given), names) if field[1] else field[0], text)
    arguments = given.elts if isinstance(given, ast.Tuple) else [given]
    pieces = iter([_piece(each, names) for each in arguments])
    return _FIELD.sub(lambda field: "%" if field[0] == "%%" else next(pieces, HOLE), text)


def _part(text: str | None, part: ast.expr) -> str | None:
    """Return a letter or a slice of a text that is known whole, by numbers that stand there."""
    if text is None or HOLE in text:
        return None
    parts = [part.lower, part.upper, part.step] if isinstance(part, ast.Slice) else [part]
    try:
        bounds = [None if one is None else ast.literal_eval(one) for one in parts]
        return text[slice(*bounds)] if isinstance(part, ast.Slice) else text[int(bounds[0] or 0)]
    except (ValueError, TypeError, IndexError):
        return None


def _call(node: ast.Call, names: Mapping[str, str]) -> str | None:
    called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if called not in _FOLDED:  # most calls
        return None
    text: str | None = None
    match node.func:
        case ast.Name(id="chr") if node.args and isinstance(node.args[0], ast.Constant):
            code = node.args[0].value
            text = chr(code) if isinstance(code, int) and 0 <= code <= sys.maxunicode else None
        case ast.Name(id="str" | "bytes") if node.args:
            text = folded(node.args[0], names)
        case ast.Name(id=name) if name in _PATHS and node.args:
            text = "/".join(_piece(each, names) for each in node.args)
        case ast.Attribute(value=value, attr=name) if name in _SAME:
            text = folded(value, names)
        case ast.Attribute(value=value, attr="replace") if len(node.args) > 1:
            text = folded(value, names)
            old, new = (folded(each, names) for each in node.args[:2])
            # An unknown piece may stand anywhere, so that the text before it is the best there is.
            text = text if text is None or not old or new is None else text.replace(old, new)
        case ast.Attribute(value=value, attr="format"):
            pattern = folded(value, names)
            text = None if pattern is None else _formatted(pattern, node, names)
        case ast.Attribute(value=value, attr="join") if node.args:
            between = folded(value, names)
            listed = node.args[0].elts if isinstance(node.args[0], ast.List | ast.Tuple) else []
            # `join` of something that is no text is that of paths: `posixpath.join("/v0", name)`.
            pieces = node.args if between is None else listed
            text = ("/" if between is None else between).join(_piece(each, names) for each in pieces)
    return text


def _formatted(text: str, node: ast.Call, names: Mapping[str, str]) -> str:
    """Fill the fields of a `str.format`."""
    given: dict[str, str] = {str(at): _piece(each, names) for at, each in enumerate(node.args)}
    given.update({word.arg: _piece(word.value, names) for word in node.keywords if word.arg is not None})
    filled, automatic = [], 0
    try:
        for literal, field, _, _ in string.Formatter().parse(text):
            filled.append(literal)
            if field is None:
                continue
            filled.append(given.get(field or str(automatic), HOLE))
            automatic += not field
    except ValueError:
        return text
    return "".join(filled)
