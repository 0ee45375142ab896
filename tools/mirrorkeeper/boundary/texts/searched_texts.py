"""Texts that a file only looks for in another one, as in `assert "import x" not in source`: they run nowhere. Pure.

Theory of operation: such a text is given to something that compares it and hands nothing of it on. Whether it is that
something, and not one of the file's own of the same name, has to be seen in the file: where it cannot be, the text
counts like any other. A replacement by another file, such as a container with a `__contains__`, is not seen.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache

from ...syntax_tree import KEPT, below, mentions, nodes_of, nodes_of_kind
from .given_values import Bindings, tested
from .searching_commands import searched_by_commands

# A container of the file's own, or what hands on every text of a function.
_CALLED = ("__contains__", "co_consts", "f_locals")
_OF_TEXTS = frozenset({"find", "rfind", "index", "rindex", "count", "startswith", "endswith"})
_FIRST_IN, _SECOND_IN = frozenset({"assertIn", "assertNotIn"}), frozenset({"assertRegex", "assertNotRegex"})
_OF_PATTERNS = frozenset({"search", "match", "fullmatch", "findall"})
_EXPECTING = frozenset({"raises", "warns"})
LOOKED_AT = frozenset({"locals", "vars", "globals", "eval", "exec", "_getframe", "currentframe", "request", "callspec"})
"""Names by which a file can reach its variables otherwise."""
_Loop = ast.For | ast.comprehension


@lru_cache(maxsize=KEPT)
def searched_for(tree: ast.Module) -> frozenset[int]:
    """Return the ids of texts that are only looked for; none of those on the left of `in` beside an own container.

    Such a container is given the text, and could run it.
    """
    bindings = Bindings(tree)
    found = [*(node.left for node in _contained(tree)), *_compared(tree, bindings)]
    found += [*searched_by_commands(tree, bindings), *_of_tables(tree, bindings)]
    if found and any(mentions(node, _CALLED) for node in nodes_of(tree)):
        return frozenset()
    return frozenset(map(id, found))


def _contained(tree: ast.Module) -> Iterator[ast.Compare]:
    for node in nodes_of_kind(tree, ast.Compare):
        if isinstance(node.ops[0], ast.In | ast.NotIn) and isinstance(
            node.left, ast.Constant | ast.JoinedStr | ast.BinOp
        ):
            yield node


@lru_cache(maxsize=KEPT)
def asked_of_modules(tree: ast.Module) -> frozenset[int]:
    """Return the ids of names that are looked for in `sys.modules`, or in an expression with that word.

    None of them is a name of which a test says that it is not there: it ends where the package is loaded.
    """
    denied = {id(one.test) for one in nodes_of_kind(tree, ast.Assert) if _denies(one.test, tree)}
    compared = [node for node in _contained(tree) if "modules" in ast.dump(node.comparators[0])]
    found = {id(node.left) for node in compared if id(node) not in denied}
    for call in nodes_of_kind(tree, ast.Call):
        if called(call.func) in _FIRST_IN and call.args[1:] and "modules" in ast.dump(call.args[1]):
            found.add(id(call.args[0]))
    return frozenset(found)


def _denies(test: ast.expr, tree: ast.Module) -> bool:
    """Return whether a test is `… not in sys.modules`, and nothing else."""
    match test:
        case ast.Compare(ops=[ast.NotIn()], comparators=[held]):
            return _is_of_sys(held, tree)
    return False


def _is_of_sys(node: ast.expr, tree: ast.Module) -> bool:
    match node:
        case ast.Attribute(value=ast.Name(id="sys"), attr="modules"):
            return Bindings(tree).is_own("sys")
        case ast.Name(id="modules"):
            return Bindings(tree).is_from("sys", "modules")
    return False


def _compared(tree: ast.Module, bindings: Bindings) -> Iterator[ast.expr]:
    """Yield texts that a method of a text, a pattern, or an assertion compares with another one."""
    results = None
    cases = _calls_of_cases(tree, bindings)
    for call in nodes_of_kind(tree, ast.Call):
        name = called(call.func)
        if name in _FIRST_IN | _SECOND_IN and id(call) in cases and not bindings.is_given(name):
            yield from call.args[:1] if name in _FIRST_IN else call.args[1:2]
        elif name in _OF_TEXTS | _OF_PATTERNS:
            results = tested(tree) if results is None else results
            if id(call) in results:
                yield from _asked(call, name, bindings)
    yield from _patterns(tree, bindings)
    for node in nodes_of_kind(tree, ast.With, ast.AsyncWith):
        for item in node.items:  # type: ignore[attr-defined]
            yield from _expected(item.context_expr, bindings)


def _asked(call: ast.Call, name: str, bindings: Bindings) -> Iterator[ast.expr]:
    """Yield the texts of a call whose answer is only compared or asked for."""
    if not isinstance(call.func, ast.Attribute):
        return
    if name in _OF_PATTERNS and bindings.calls(call, "re"):
        yield from call.args[:1]
    elif name in _OF_TEXTS and bindings.is_text(call.func.value) and not bindings.is_given(name):
        yield from call.args[:1]
        if isinstance(call.func.value, ast.Constant):
            yield call.func.value


def _patterns(tree: ast.Module, bindings: Bindings) -> Iterator[ast.expr]:
    """Yield the texts of patterns with a name inside a function that nothing but such questions are asked of."""
    for function in nodes_of_kind(tree, ast.FunctionDef, ast.AsyncFunctionDef):
        for given in function.body:  # type: ignore[attr-defined]
            target = given.targets[0] if isinstance(given, ast.Assign) and len(given.targets) == 1 else None
            call = given.value if isinstance(given, ast.Assign) else None
            if not isinstance(target, ast.Name) or not isinstance(call, ast.Call) or not call.args:
                continue
            if called(call.func) == "compile" and bindings.calls(call, "re") and _only_asked(tree, target.id, bindings):
                yield call.args[0]


def _only_asked(tree: ast.Module, name: str, bindings: Bindings) -> bool:
    results = tested(tree)
    asking = {
        id(call.func.value)
        for call in nodes_of_kind(tree, ast.Call)
        if id(call) in results and isinstance(call.func, ast.Attribute) and call.func.attr in _OF_PATTERNS
    }
    return bindings.is_used_only(name, asking) and not bindings.mentions(LOOKED_AT | {"nonlocal", name})


def _expected(expression: ast.expr, bindings: Bindings) -> Iterator[ast.expr]:
    if (
        isinstance(expression, ast.Call)
        and called(expression.func) in _EXPECTING
        and bindings.calls(expression, "pytest")
    ):
        yield from (word.value for word in expression.keywords if word.arg == "match")


def _calls_of_cases(tree: ast.Module, bindings: Bindings) -> frozenset[int]:
    """Return the ids of calls `self.…()` in classes of unittest's own test case and nothing else."""
    found: set[int] = set()
    for one in nodes_of_kind(tree, ast.ClassDef):
        base = ast.unparse(one.bases[0]) if len(one.bases) == 1 and not one.keywords and not one.decorator_list else ""
        whole = base == "unittest.TestCase" and bindings.is_own("unittest")
        taken = base == "TestCase" and bindings.is_from("unittest", "TestCase")
        if (whole or taken) and bindings.is_parameter("self"):
            found.update(id(call) for call in below(one) if isinstance(call, ast.Call) and _is_of_self(call.func))
    return frozenset(found)


def _is_of_self(function: ast.expr) -> bool:
    owner = function.value if isinstance(function, ast.Attribute) else None
    return isinstance(owner, ast.Name) and owner.id == "self"


def _of_tables(tree: ast.Module, bindings: Bindings) -> Iterator[ast.expr]:
    """Yield the texts of literal tables whose elements, one by one, are only looked for with `in`."""
    looked_for = {
        id(node.left) for node in nodes_of_kind(tree, ast.Compare) if isinstance(node.ops[0], ast.In | ast.NotIn)
    }
    loops: list[_Loop] = nodes_of_kind(tree, ast.For, ast.comprehension)
    tables = [(one.target.id, one.iter) for one in loops if isinstance(one.target, ast.Name)]
    for function in nodes_of_kind(tree, ast.FunctionDef, ast.AsyncFunctionDef):
        tables += parametrized(function, bindings)
    for name, table in tables:
        only = isinstance(table, ast.List | ast.Tuple) and bindings.is_used_only(name, looked_for)
        if only and not bindings.mentions(LOOKED_AT | {name}):
            yield from table.elts  # type: ignore[attr-defined]


def parametrized(function: ast.AST, bindings: Bindings) -> Iterator[tuple[str, ast.expr]]:
    """Yield name and values of each single parameter that pytest gives a test."""
    if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
        return
    taken = {one.arg for one in function.args.args}
    for call in function.decorator_list:
        if not isinstance(call, ast.Call) or len(call.args) != 2 or call.keywords:  # noqa: PLR2004 - name and values
            continue
        name = call.args[0].value if isinstance(call.args[0], ast.Constant) else None
        by_pytest = ast.unparse(call.func) == "pytest.mark.parametrize" and bindings.is_own("pytest")
        if by_pytest and isinstance(name, str) and name in taken:
            yield name, call.args[1]


def called(function: ast.expr) -> str:
    """Return the last name of a called function; empty of one without a name."""
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
