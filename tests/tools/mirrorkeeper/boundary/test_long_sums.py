"""A sum of thousands of terms is judged like a short one, in time that grows with its length."""

from __future__ import annotations

import ast
import time
from collections.abc import Callable, Iterator

import pytest

from tools.mirrorkeeper.boundary.go_code.references import Guarded, go_references
from tools.mirrorkeeper.boundary.lint_process import named_modules
from tools.mirrorkeeper.boundary.package_names import PackageNames
from tools.mirrorkeeper.boundary.references import ReferenceKind, references
from tools.mirrorkeeper.boundary.symbols import symbols_used
from tools.mirrorkeeper.boundary.texts.notebooks import script_code
from tools.mirrorkeeper.contract.literals import Vocabulary, literal_findings
from tools.mirrorkeeper.contract.scripts import script_findings
from tools.mirrorkeeper.folding import HOLE, folded
from tools.mirrorkeeper.modules import Module
from tools.mirrorkeeper.syntax_tree import parsed

NAMES = PackageNames("gateway", ("mirror.src",))
WORDS = Vocabulary(("/v0/management/config",), {}, {})
GUARDED = Guarded(("example.com/up",), "mirror")
TERMS = 5_000


def _sum(begin: str, end: str = "", terms: int = TERMS) -> str:
    return " + ".join([begin, *(f'"{at}"' for at in range(terms)), *([end] if end else [])])


def _found(text: str) -> list[tuple[int, str, ReferenceKind]]:
    module = Module("x.py", text.encode())
    return [(one.line, one.target, one.kind) for one in references(module.tree, NAMES)]


@pytest.mark.parametrize(
    ("text", "long", "kind"),
    [
        ("import os\nos.system({})", _sum('"python -m gate" + "way "'), ReferenceKind.DYNAMIC),
        ("import os\nos.system({})", _sum("unknown", '"; python -m gate" + "way "'), ReferenceKind.DYNAMIC),
        ("x = {}\nimport gateway", _sum("unknown"), ReferenceKind.IMPORT),
        ("x = {} + __import__('gateway').x", _sum("f()"), ReferenceKind.DYNAMIC),
        ("import importlib\nimportlib.import_module({})", _sum('"gateway." + name'), ReferenceKind.UNKNOWN),
        ("exec({})", _sum('"import "'), ReferenceKind.UNKNOWN),
        ("exec({!r})", f"x = {_sum('1')}; import gateway", ReferenceKind.DYNAMIC),
        ("def f():\n    return {}", _sum("(lambda: __import__(name))"), ReferenceKind.UNKNOWN),
    ],
)
def test_a_reference_in_or_beside_a_long_sum_is_found(text: str, long: str, kind: ReferenceKind) -> None:
    assert kind in [one[2] for one in _found(text.format(long))]


def test_a_long_sum_of_other_texts_is_none_and_its_names_are_known() -> None:
    text = f"from gateway import one\nx = one + {_sum('one')}"

    assert len(_found(text)) == 1
    assert len(list(symbols_used(Module("x.py", text.encode()).tree, NAMES, lambda _: False))) == 1


def test_the_contract_reads_a_long_sum() -> None:
    path = '"/v0/" + "management/" + "config"'
    tree = parsed(f"x = {path} + '?' + {_sum(path)}\ny = {path}\nz = f'{{x}}' + {path}")

    assert [one.line for one in literal_findings(tree, "x.py", WORDS)] == [1, 2, 3]
    found = list(script_findings(f"const x = {path} + '?' + {_sum(path)};", "x.js", WORDS))
    assert {one.code for one in found} == {"CON012"}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('"example.com" + "/up/sdk" + ', 1),
        ('"example.com" + "/up/sdk" + name + ', 1),
        ('("example.com" + "/up") + ', 1),
        ('"example.com/" + ("up") + "/" + ', 1),
        ('name + ("example.com" + "/up") + ', 1),
        ('name + "example.com" + ', 0),
        ('"example.com/" + f("up") + ', 0),
    ],
)
def test_go_source_with_a_long_sum_is_read(text: str, found: int) -> None:
    content = b"package a\n\nvar x = " + text.encode() + _sum('"/"').encode() + b"\n"

    assert len(list(go_references(Module("a.go", content), GUARDED))) == found


def test_a_script_of_ipython_with_a_long_sum_is_read_as_python() -> None:
    code = script_code(f"!ls\nx = {_sum('1')}\nimport gateway\n")

    assert (3, "gateway", ReferenceKind.IMPORT) in _found(code.decode())


def test_the_linter_reads_texts_that_begin_a_long_sum() -> None:
    long = _sum('"ours." + "part" + ":"', terms=900)
    source = f"x = {long}\ny = 'ours.' + 'other'\nz = name + 'ours.no'"

    assert set(named_modules(source, {"ours.part", "ours.other", "ours.no"})) >= {("ours.part", 1), ("ours.other", 2)}


@pytest.mark.parametrize("first", ['"a"', "f()", '"a" % b', '("a" + b)'])
def test_time_grows_with_the_length_of_the_sum(first: str) -> None:
    def taken(terms: int) -> float:
        text = f"import gateway, os\nos.system({_sum(first, terms=terms)})"
        spent = []
        for at in range(3):
            tree = ast.parse(f"{text}\n{'#' * at}")
            begin = time.process_time()
            list(references(tree, NAMES))
            spent.append(time.process_time() - begin)
        return min(spent)

    assert taken(2_400) < 12 * max(taken(600), 0.002)  # four times the terms; sixteen times is what a square takes


PIECES = ['"a"', "name", "(b)", '"c%s"', '("d" + "e")', 'f"{name}f"', '"g/"']


def _plain(node: ast.AST) -> str | None:
    """Fold by calls, as the reading of one operation is defined."""
    if not isinstance(node, ast.BinOp):
        return folded(node, {})
    left, right = _plain(node.left), _plain(node.right)
    if isinstance(node.op, ast.Add):
        return None if left is None and right is None else (left or HOLE) + (right or HOLE)
    if isinstance(node.op, ast.Div):
        if left is None and right is None:
            return None
        return f"{HOLE if left is None else left.rstrip('/')}/{HOLE if right is None else right}"
    if isinstance(node.op, ast.Mod) and left is not None:
        return left.replace("%s", HOLE if right is None else right, 1)
    return None


def _sums() -> Iterator[str]:
    for at in range(len(PIECES) ** 3):
        one, two, three = (PIECES[at // len(PIECES) ** place % len(PIECES)] for place in range(3))
        for first, second in (("+", "+"), ("+", "/"), ("/", "+"), ("%", "+"), ("-", "+"), ("+", "-")):
            yield f"{one} {first} {two} {second} {three}"


def test_terms_are_folded_as_one_operation_after_the_other() -> None:
    fold: Callable[[str], tuple[str | None, str | None]] = lambda text: (  # noqa: E731 - one line in the loop
        folded(ast.parse(text, mode="eval").body, {}),
        _plain(ast.parse(text, mode="eval").body),
    )
    assert {text: pair for text in _sums() if (pair := fold(text))[0] != pair[1]} == {}


def test_texts_that_double_have_an_end() -> None:
    source = "a0 = 'x' * 1000\n" + "\n".join(f"a{at} = a{at - 1} + a{at - 1}" for at in range(1, 60))

    assert _found(f"import os\n{source}\nos.system('python -m gate' 'way ' + a59 + {' + '.join(['a59'] * 2_000)})")
