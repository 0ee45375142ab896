"""Names of modules out of a mark `parametrize` are known; a test that may be given others is a finding."""

from __future__ import annotations

import ast

import pytest

from tools.mirrorkeeper.boundary.package_names import PackageNames
from tools.mirrorkeeper.boundary.references import references

NAMES = PackageNames("greeter", ("upstream.src",))
LOAD = "import pytest\nfrom importlib import import_module\n"
TEST = "def test_x(m, n): import_module(m)\n"
CLASS = "class TestX:\n    def test_x(self, m): import_module(m)\n    def test_y(self, m): import_module(m)\n"


def marked(names: str, values: str, test: str = TEST, **more: str) -> str:
    words = "".join(f", {name}={value}" for name, value in more.items())
    return f"{LOAD}@pytest.mark.parametrize({names}, {values}{words})\n{test}"


def found(text: str) -> int:
    return len(list(references(ast.parse(text), NAMES, "ours", "ours.part")))


@pytest.mark.parametrize(
    "text",
    [
        marked("('m', 'n')", "[('ours.a', 1), ('ours.b', 2)]"),
        marked("['m', 'n']", "(['ours.a', 1], ('ours.b', x))", ids="['a', 'b']"),
        marked("'m,n'", "[('ours.a', 1)]"),
        marked("'n, m'", "[(1, 'ours.a')]"),
        marked("('m',)", "[('ours.a',)]", "def test_x(m): import_module(m)"),
        marked("'m'", "[pytest.param('ours.a', id='a'), 'ours.b']"),
        marked("('m', 'n')", "[pytest.param('ours.a', 1, marks=pytest.mark.slow)]"),
        marked("'m'", "['ours.a']", ids="str"),
        marked("'m'", "['ours.a']", CLASS),
        marked("'m'", "['ours.a']", "@pytest.mark.slow\n" + CLASS),
        marked("'m'", "['ours.a']", TEST)
        + "@pytest.mark.parametrize('m', ['ours.b'])\ndef test_y(m): import_module(m)",
    ],
)
def test_a_name_out_of_a_mark_is_known(text: str) -> None:
    assert found(text) == 0


@pytest.mark.parametrize(
    "text",
    [
        # One of the values is the package, or cannot be told.
        marked("('m', 'n')", "[('ours.a', 1), ('greeter', 2)]"),
        marked("'n,m'", "[('ours.a', 'greeter')]"),
        marked("'m'", "[pytest.param('greeter', id='a'), 'ours.b']"),
        marked("'m'", "['greeter']", CLASS),
        marked("('m', 'n')", "[('ours.a', 1), chosen]"),
        marked("('m', 'n')", "[('ours.a', 1), (chosen, 1)]"),
        marked("('m', 'n')", "[*chosen, ('ours.a', 1)]"),
        marked("('m', 'n')", "[(*chosen, 'ours.a')]"),
        marked("('m', 'n')", "[('.a', 1)]"),
        marked("('m', name)", "[('ours.a', 1)]"),
        marked("'m'", "[pytest.param(*chosen)]"),
        marked("'m'", "[pytest.param('ours.a', **chosen)]"),
        marked("'m'", "[own.param('ours.a')]"),
        marked("'m'", "[param('ours.a')]"),
        marked("'m'", "[('ours.a', 'greeter')]"),
        marked("'m'", "[]"),
        marked("('m', 'n')", "[('ours.a', 1)]", indirect="['m']"),
        marked("('m', 'n')", "[('ours.a', 1)]", "def test_x(n, o, m=chosen): import_module(m)"),
        # Another caller, or another test with a parameter of that name.
        marked("('m', 'n')", "[('ours.a', 1)]", TEST + "test_x(chosen, 1)"),
        marked("('m', 'n')", "[('ours.a', 1)]", "@own\n" + TEST),
        marked("('m', 'n')", "[('ours.a', 1)]", TEST + "def test_y(m): import_module(m)"),
        marked("'m'", "['ours.a']", "@own\n" + CLASS),
        marked("'m'", "['ours.a']", CLASS + "    def helper(self, m): import_module(m)"),
        marked("'m'", "['ours.a']", CLASS + "    @staticmethod\n    def test_z(m): import_module(m)"),
        marked("'m'", "['ours.a']", CLASS + "TestX().test_x(chosen)"),
        marked("'m'", "['ours.a']", CLASS + "TestX.__dict__[name](1, chosen)"),
        marked("'m'", "['ours.a']", CLASS) + "class Other:\n    def test_z(self, m): import_module(m)",
        marked("'m'", "['ours.a']", CLASS).replace("import pytest", "import own as pytest"),
        marked("'m'", "['ours.a']", "class TestX:\n    class Inner:\n        def test_x(self, m): import_module(m)"),
        marked("'m'", "['ours.a']", CLASS + "m = chosen"),
        marked("'m'", "['ours.a']", CLASS + "getattr(TestX(), name)(chosen)"),
    ],
)
def test_a_parameter_that_may_be_the_package_is_found(text: str) -> None:
    assert found(text)
