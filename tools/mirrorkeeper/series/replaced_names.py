"""Names of Python that a patch changes and that the same block of the file binds again below. Pure.

Theory of operation. Python runs a block from top to bottom: a second `def` of the same name, or an assignment, takes
the name over, and a change of the first one has no effect any more. The two branches of a condition are two
blocks, and no such pair. A decorator that names the first one (`@value.setter`), overloads, a value that is made of
the first one, and a use of it in between keep it alive. Only the files of one release are looked at: whether that is
new is for the caller to compare.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping, Sequence

from .sections import PatchSection

_DEFINITION = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef)
_UNNAMED = "_"
_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")


def replaced_names(section: PatchSection, before: bytes) -> Mapping[str, str]:
    """Return the names that the section's lines belong to and that are bound again below, each with that line."""
    content, touched = _patched(section, before)
    try:
        tree = ast.parse(content)
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # another Python, or no Python
        return {}
    lines = content.split(b"\n")
    return {
        ".".join(names): lines[later.lineno - 1].strip().decode("utf-8", "backslashreplace")
        for names, later in _replaced(tree, touched, (), local=False)
    }


def _patched(section: PatchSection, before: bytes) -> tuple[bytes, Sequence[int]]:
    """The file after the section, and the numbers of lines that it adds, or that stand before removed ones."""
    old, new, touched = before.split(b"\n"), list[bytes](), list[int]()
    at = 0
    for hunk in section.hunks:
        begin = max(0, hunk.first - 1 if hunk.last >= hunk.first else hunk.first)
        new += old[at:begin]
        at = begin
        for line in hunk.content.partition(b"\n@@ ")[2].split(b"\n")[1:]:
            if line.startswith(b"+"):
                new.append(line[1:])
            if line.startswith((b" ", b"-")):
                new += old[at : at + 1] if line.startswith(b" ") else ()
                at += 1
            if line.startswith((b"+", b"-")):
                touched.append(len(new))
    return b"\n".join(new + old[at:]), touched


def _replaced(
    node: ast.AST, touched: Sequence[int], inside: tuple[str, ...], *, local: bool
) -> Iterator[tuple[tuple[str, ...], ast.stmt]]:
    for block in (getattr(node, name, ()) for name in _BLOCKS):
        statements: Sequence[ast.stmt] = block if isinstance(block, list) else ()
        for at, one in enumerate(statements):
            if not any(_first_line(one) <= line <= _last_line(one) for line in touched):
                continue
            for name in _bound(one, local=local):
                later = _later(statements[at + 1 :], name)
                if later is not None:
                    yield (*inside, name), later
            names = (*inside, one.name) if isinstance(one, _DEFINITION) else inside
            within = isinstance(one, _FUNCTION) or (local and not isinstance(one, ast.ClassDef))
            yield from _replaced(one, touched, names, local=within)


def _first_line(one: ast.AST) -> int:
    decorators = one.decorator_list if isinstance(one, _DEFINITION) else ()
    return min(getattr(each, "lineno", 0) for each in (one, *decorators))


def _last_line(one: ast.AST) -> int:
    """The last line; the case of a `match` knows none, so that its block is looked into."""
    return getattr(one, "end_lineno", None) or sys.maxsize


def _bound(one: ast.AST, *, local: bool) -> Iterator[str]:
    """Yield the names that a statement binds for others to use; a variable of a function is assigned anew often."""
    if isinstance(one, _DEFINITION):
        if one.name != _UNNAMED and not _is_overload(one):
            yield one.name
    elif not local:
        yield from _assigned(one)


def _assigned(one: ast.AST) -> Iterator[str]:
    if isinstance(one, ast.Assign):
        yield from (target.id for target in one.targets if isinstance(target, ast.Name))
    elif isinstance(one, ast.AnnAssign) and one.value is not None and isinstance(one.target, ast.Name):
        yield one.target.id


def _later(below: Sequence[ast.stmt], name: str) -> ast.stmt | None:
    for one in below:
        if any(_uses(each, name) for each in _run_at_once(one)):
            return None
        if _binds(one, name):
            return one
    return None


def _binds(one: ast.stmt, name: str) -> bool:
    if isinstance(one, ast.Import | ast.ImportFrom):
        return any((each.asname or each.name.partition(".")[0]) == name for each in one.names)
    if isinstance(one, _DEFINITION):
        return one.name == name and not _is_overload(one)
    return name in _assigned(one)


def _is_overload(one: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> bool:
    return any(ast.unparse(each).rpartition(".")[2] == "overload" for each in one.decorator_list)


def _run_at_once(one: ast.AST) -> Iterator[ast.AST]:
    """Yield the code that runs when the block does: of a function its decorators and defaults, without its body."""
    if isinstance(one, _FUNCTION):
        yield from one.decorator_list
        yield from (each for each in (*one.args.defaults, *one.args.kw_defaults) if each is not None)
    elif isinstance(one, ast.ClassDef):
        yield from (*one.decorator_list, *one.bases, *one.keywords)
    else:
        yield one


def _uses(one: ast.AST, name: str) -> bool:
    for each in ast.walk(one):
        if isinstance(each, ast.Name) and each.id == name and isinstance(each.ctx, ast.Load):
            return True
    return False
