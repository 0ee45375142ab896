from __future__ import annotations

import ast
import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.mirrorkeeper.boundary.package_names import PackageNames
from tools.mirrorkeeper.boundary.references import ReferenceKind, references
from tools.mirrorkeeper.boundary.texts.worth_reading import IMPORTERS, may_refer

NAMES = PackageNames.within("gateway", "mirror/gateway/src", "")
QUOTES = (("'", "'"), ('"', '"'), ("r'", "'"), ('"""', '"""'), ('f"', '"'), ("\\\n'", "'"))


def found(text: str) -> list[tuple[int, str, ReferenceKind]]:
    tree = ast.parse(textwrap.dedent(text))
    return [(one.line, one.target, one.kind) for one in references(tree, PackageNames("gateway"))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import gateway", (1, "gateway", ReferenceKind.IMPORT)),
        ("import os, gateway.internal as inside", (1, "gateway.internal", ReferenceKind.IMPORT)),
        ("from gateway.internal import runtime", (1, "gateway.internal.runtime", ReferenceKind.IMPORT)),
        ("from gateway import *", (1, "gateway.*", ReferenceKind.IMPORT)),
        ("def late():\n    import gateway", (2, "gateway", ReferenceKind.LATE)),
        ("class Late:\n    async def go(self):\n        from gateway import x", (3, "gateway.x", ReferenceKind.LATE)),
        ("if TYPE_CHECKING:\n    import gateway", (2, "gateway", ReferenceKind.TYPED)),
        ("import typing\nif typing.TYPE_CHECKING:\n    import gateway", (3, "gateway", ReferenceKind.TYPED)),
        ("importlib.import_module('gateway.internal')", (1, "gateway.internal", ReferenceKind.DYNAMIC)),
        ("importlib.import_module(name='gateway')", (1, "gateway", ReferenceKind.DYNAMIC)),
        ("__import__('gateway')", (1, "gateway", ReferenceKind.DYNAMIC)),
        ("importlib.util.find_spec('gateway.internal')", (1, "gateway.internal", ReferenceKind.DYNAMIC)),
        ("import_module(chosen)", (1, "chosen", ReferenceKind.UNKNOWN)),
        ("import_module(f'gateway.{part}')", (1, "f'gateway.{part}'", ReferenceKind.UNKNOWN)),
        ("import_module('gate' + 'way')", (1, "gateway", ReferenceKind.DYNAMIC)),
        ("import_module(f'gate{part}')", (1, "f'gate{part}'", ReferenceKind.UNKNOWN)),
        ("import_module(f'{whole}.part')", (1, "f'{whole}.part'", ReferenceKind.UNKNOWN)),
        ("import_module('GATEWAY'.lower())", (1, "'GATEWAY'.lower()", ReferenceKind.UNKNOWN)),
        ("import_module('.internal', chosen)", (1, "'.internal'", ReferenceKind.UNKNOWN)),
        ("import_module(f'.{name}', 'gate' + rest)", (1, "f'.{name}'", ReferenceKind.UNKNOWN)),
        ("for one in ('ours', 'gateway'):\n    import_module(one)", (2, "gateway", ReferenceKind.DYNAMIC)),
        ("[import_module(one, p) for one in ['.a']]", (1, "one", ReferenceKind.UNKNOWN)),
        ("for one in ('a', b):\n    import_module(one)", (2, "one", ReferenceKind.UNKNOWN)),
        ("for one in ('a',):\n    one = f(one)\n    import_module(one)", (3, "one", ReferenceKind.UNKNOWN)),
        ("def f(one):\n    import_module(one)\nfor one in ('a',):\n    f(one)", (2, "one", ReferenceKind.UNKNOWN)),
        ("place = 'gateway.internal.runtime'", (1, "gateway.internal.runtime", ReferenceKind.TEXT)),
        ("place = f'gateway.internal.{name}'", (1, "gateway.internal.x", ReferenceKind.TEXT)),
        ("point = 'gateway.internal.serving:serve'", (1, "gateway.internal.serving:serve", ReferenceKind.TEXT)),
        ("setup(entry_points={'x': ['f=gateway.cli:main']})", (1, "gateway.cli", ReferenceKind.DYNAMIC)),
        ("points = '''\n[x]\nf = gateway:main\n'''", (1, "gateway", ReferenceKind.DYNAMIC)),
        ("s.run('python', '-m', 'gateway')", (1, "gateway", ReferenceKind.DYNAMIC)),
        ("INSTALLED_APPS = ['ours', 'gateway']", (1, "gateway", ReferenceKind.DYNAMIC)),
        ("pytest_plugins = 'gateway'", (1, "gateway", ReferenceKind.DYNAMIC)),
        ("INSTALLED_APPS += ('gateway',)", (1, "gateway", ReferenceKind.DYNAMIC)),
        ("pytest.importorskip('gateway')", (1, "gateway", ReferenceKind.DYNAMIC)),
        ('def f():\n    """Do.\n\n    >>> import gateway\n    """', (4, "gateway", ReferenceKind.DYNAMIC)),
        ('"""\n>>> if x:\n...     from gateway import y\n"""', (3, "gateway", ReferenceKind.DYNAMIC)),
    ],
)
def test_every_way_to_refer_to_the_package_is_one_reference(
    text: str, expected: tuple[int, str, ReferenceKind]
) -> None:
    assert found(text) == [expected]
    assert may_refer(text, PackageNames("gateway"))


@pytest.mark.parametrize(
    "text",
    [
        "import gateways",
        "from adapter import gateway",
        "from . import gateway",
        "import_module('json')",
        "import_module('json' + '.decoder')",
        "import_module(f'ours.{name}')",
        "import_module('ours.' + name)",
        "import_module(f'plugin_{name}')",
        "import_module(f'.{name}', 'ours')",
        "import_module(f'.{name}', package='ours' + '.plugins')",
        "print('import gateway to use it')",
        "['git', 'commit', '-m', 'gateway']",
        "run('git commit -m gateway')",
        "run(['mkdir', '-p', 'gateway'])",
        '"""Tells of gateway.internal.runtime."""',
        "def f():\n    'gateway.internal'\n",
        "text = 'the gateway.internal package'",
        "gateway = object()\ngateway.internal = 1",
        "NAMES = ['ours', 'gateway']",
        "run('git', 'commit', '-m', 'the gateway')",
        "pytest.importorskip(name)",
        "def import_module(x): ...\nimport_module('gateway.x y')",
        '"""\n>>> import gateways\nimport gateway\n"""',
        "for one in ('ours.a', 'ours.b'):\n    import_module(one)",
        "[import_module(one) for one in ['ours.a']]",
        "NAMES = ('ours.a', 'json')\nfor one in NAMES:\n    importlib.import_module(one)",
        "import builtins as b\nprint(b.sorted, getattr(b, 'print'))",
        "from builtins import compile as c, print as p",
        "session.exec(query)\ngetattr(session, 'exec')(query)\nrun = model.eval",
        "setup(entry_points={'x': ['gateway=ours.cli:main']})",
    ],
)
def test_what_only_looks_like_it_is_none(text: str) -> None:
    assert found(text) == []


def test_names_relative_to_the_folder_of_the_file_are_resolved() -> None:
    tree = ast.parse("import_module(f'.{name}', __package__)\nimport_module('.x', __name__)\nfrom . import gateway")

    assert list(references(tree, PackageNames("gateway"), "ours.plugins")) == []
    names = PackageNames("gateway", ("ours.plugins",))
    assert [one.line for one in references(tree, names, "ours.plugins")] == [1, 2, 3]


def test_the_other_branch_of_a_block_for_types_is_a_real_import() -> None:
    text = "if TYPE_CHECKING:\n    import gateway.a\nelse:\n    import gateway.b"

    assert found(text) == [(2, "gateway.a", ReferenceKind.TYPED), (4, "gateway.b", ReferenceKind.IMPORT)]


def test_a_file_that_never_names_the_package_is_not_worth_parsing() -> None:
    assert not may_refer("import os\n\n\ndef gate() -> None:\n    os.getcwd()\n", PackageNames("gateway"))


@pytest.mark.parametrize("line", ["PATTERN = re.compile('x')", "profiles = 1", "model.eval()"])
def test_words_that_only_contain_an_importer_are_not_worth_parsing(line: str) -> None:
    assert not may_refer(f"{line}\n", PackageNames("gateway"))
    assert not list(references(ast.parse(line), PackageNames("gateway")))


@pytest.mark.parametrize("line", ["exec(text)", "x = (compile('import gateway', '', 'exec'))", "a.import_module(b)"])
def test_what_runs_text_is_worth_parsing(line: str) -> None:
    assert may_refer(f"{line}\n", PackageNames("gateway"))
    assert list(references(ast.parse(line), PackageNames("gateway")))


@st.composite
def written_imports(draw: st.DrawFn) -> str:
    """Draw a call of an importer whose text is the package's name, in pieces of literals, sums and f-strings."""
    name = draw(
        st.sampled_from(["gateway", "gateway.text", "mirror.gateway.src.gateway", ".gateway", ".src.gateway.x"])
    )
    cuts = sorted(draw(st.lists(st.integers(0, len(name)), max_size=3)))
    pieces = [name[begin:end] for begin, end in zip([0, *cuts], [*cuts, len(name)], strict=True)]
    whole = ""
    for piece in pieces:
        opened, closed = draw(st.sampled_from(QUOTES))
        held = f"{{{piece!r}}}" if opened.startswith("f") and draw(st.booleans()) else piece
        between = draw(st.sampled_from([" ", " + ", "  # a comment\n + ", "\r\n + "])) if whole else ""
        whole += f"{between}{opened}{held}{closed}"
    if draw(st.booleans()):
        return f"for one in (({whole}),):\n    files(one)\n"
    return f"x = {draw(st.sampled_from(sorted(IMPORTERS)))}(({whole}))\n"


@given(written_imports(), st.sampled_from(["", "mirror", "mirror.gateway"]))
def test_every_text_that_is_imported_makes_its_file_worth_parsing(text: str, inside: str) -> None:
    if list(references(ast.parse(text), NAMES, inside)):
        assert may_refer(text, NAMES)


@pytest.mark.parametrize(
    "text", ["sys\\\n.__dict__['modules']", "getattr(  # a comment\n    sys, name)", "files('gate\\\rway')"]
)
def test_a_line_that_goes_on_does_not_hide_what_is_looked_for(text: str) -> None:
    assert may_refer(text, NAMES)
    assert list(references(ast.parse(text), NAMES))


def test_a_word_of_many_texts_is_not_worth_parsing_by_itself() -> None:
    assert not may_refer("FOLDER = files('gates')\n", NAMES)
