"""Statements of Python after which nothing in their block runs. Pure."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

Scope = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_LEAVES = (ast.Return, ast.Raise, ast.Break, ast.Continue)
_ENDING = frozenset({"sys.exit", "os._exit", "os.abort", "exit", "quit"})


def leaves(statement: ast.stmt) -> bool:
    """Return whether nothing after a statement runs: it leaves in every branch, or loops for ever."""
    match statement:
        case ast.If(test=ast.Constant(value=value)):
            left = any_leaves(statement.body if value else statement.orelse)
        case ast.If():
            left = any_leaves(statement.body) and any_leaves(statement.orelse)
        case ast.While():
            always = isinstance(statement.test, ast.Constant) and bool(statement.test.value)
            left = always and not _breaks(statement.body)
        case ast.With() | ast.AsyncWith():
            left = any_leaves(statement.body)
        case ast.Try() | ast.TryStar():
            inside = any_leaves(statement.body) or any_leaves(statement.orelse)
            handled = all(any_leaves(one.body) for one in statement.handlers)
            left = any_leaves(statement.finalbody) or (inside and handled)
        case ast.Match():
            last = statement.cases[-1]
            whole = isinstance(last.pattern, ast.MatchAs) and last.pattern.pattern is None and last.guard is None
            left = whole and all(any_leaves(one.body) for one in statement.cases)
        case ast.Assert(test=ast.Constant(value=value)):
            left = not value
        case _:
            left = isinstance(statement, _LEAVES) or _ends(statement)
    return left


def any_leaves(body: Sequence[ast.stmt]) -> bool:
    """Return whether a statement of a block leaves it."""
    return any(map(leaves, body))


def _breaks(body: Sequence[ast.stmt]) -> bool:
    """Return whether a loop has a `break` of its own."""
    for statement in body:
        if isinstance(statement, ast.Break):
            return True
        if isinstance(statement, ast.For | ast.AsyncFor | ast.While):
            if _breaks(statement.orelse):
                return True
        elif not isinstance(statement, Scope) and any(map(_breaks, _bodies(statement))):
            return True
    return False


def _bodies(statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    for name in ("body", "orelse", "finalbody"):
        yield getattr(statement, name, [])
    for part in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
        yield part.body


def _ends(statement: ast.stmt) -> bool:
    """Return whether a statement is a call that ends the program."""
    if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Call):
        return False
    return ast.unparse(statement.value.func) in _ENDING
