"""Texts that a file puts together from pieces that stand in it, and that name the guarded package as a whole. Pure."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import lru_cache

from ...folding import constants, folded
from ...syntax_tree import below, inner_sums, nodes_of
from ..commands.patterns import command_of
from ..commands.started_programs import line_of_words
from ..package_names import PackageNames
from .searched_texts import searched_for

_PIECED = (ast.BinOp, ast.JoinedStr, ast.Call, ast.Subscript, ast.Name)
_STARTERS = re.compile(
    r"\b(?:system|[pP]open[234]?|subprocess|check_call|check_output|getoutput|getstatusoutput|exec[lv]p?e?|posix_spawnp?"
    r"|spawn\w*|create_subprocess_\w+|forkpty|pexpect|invoke|sh|pty|run_path|run_module|run_script|runsource|runcode|timeit)\b"
)
_GAP = r"(?:[\"'%{}\]]|\\[\"'])"


def may_piece_together(text: str, package: str) -> bool:
    """Return whether a file that starts processes may put the package's name together from pieces.

    A beginning of the name stands before an end of a literal or a gap in it, and a rest of the name after one.
    """
    if _STARTERS.search(text) is None:
        return False
    begun, ended, other, parted = _pieces(package)
    if begun.search(text) is not None and ended.search(text) is not None:
        return True
    return other.search(text) is not None or (".replace(" in text and parted.search(text) is not None)


def may_spell(text: str, package: str) -> bool:
    """Return whether literals of a file hold the package's name: whole, or a beginning and a rest of it."""
    if package in text:
        return True
    begun, ended, _, _ = _pieces(package)
    return begun.search(text) is not None and ended.search(text) is not None


@lru_cache(maxsize=4)
def _pieces(package: str) -> tuple[re.Pattern[str], ...]:
    """Return the patterns of a beginning, a rest, other ways to write the name, and the name with something in it."""
    size = len(package)
    begun = "|".join(re.escape(package[:at]) for at in range(size, 0, -1))
    ended = "|".join(re.escape(package[at:]) for at in range(size))
    parted = "|".join(rf"{re.escape(package[:at])}[^\s\"']{{1,8}}{re.escape(package[at:])}" for at in range(1, size))
    return (
        re.compile(rf"(?<!\w)(?:{begun}){_GAP}"),
        re.compile(rf"(?:{_GAP}|[%)]s)(?:{ended})(?!\w)"),
        re.compile(rf"{re.escape(package[::-1])}|\bchr\("),
        re.compile(parted or r"(?!)"),
    )


def pieced_texts(tree: ast.Module, guarded: PackageNames) -> Iterator[tuple[int, str]]:
    """Yield line and text of each expression that makes a command with the package, or makes `-m` beside its name."""
    names = constants(tree)
    command = command_of(guarded)
    package = guarded.package
    inside = {*inner_sums(tree)}
    for node in nodes_of(tree):  # the outer one of two comes first
        if isinstance(node, _PIECED) and id(node) not in inside:
            text = folded(node, names)
            if text is not None and package in text:
                inside.update(id(one) for one in below(node))
                if command.search(text) and id(node) not in searched_for(tree):
                    yield node.lineno, package
        line = line_of_words([folded(one, names) for one in _listed(node)], node, tree)
        if package in line and command.search(line):
            yield getattr(node, "lineno", 0), package


def _listed(node: ast.AST) -> list[ast.expr]:
    """Return the words of a command: those of a list, or those given to a call one by one."""
    if isinstance(node, ast.List | ast.Tuple):
        return node.elts
    return node.args if isinstance(node, ast.Call) and len(node.args) > 1 else []
