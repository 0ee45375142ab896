"""Names of `sys.modules` are no modules; a module that is taken out of it is one."""

from __future__ import annotations

import ast

import pytest

from tools.mirrorkeeper.boundary.package_names import PackageNames
from tools.mirrorkeeper.boundary.references import references
from tools.mirrorkeeper.boundary.texts.worth_reading import may_refer

NAMES = PackageNames("greeter", ("upstream.src",))
SYS = "import sys\n"
MOCK = SYS + "from unittest import mock\n"
CASE = SYS + "import unittest\nclass T(unittest.TestCase):\n    def test(self):\n        "


def found(text: str) -> int:
    count = len(list(references(ast.parse(text), NAMES, "ours", "ours.part")))
    assert not count or may_refer(text, NAMES)
    return count


@pytest.mark.parametrize(
    "text",
    [
        SYS + "assert 'greeter.text' not in sys.modules",
        "from sys import modules\nassert 'greeter.text' not in modules, 'loaded'",
        SYS + "before = set(sys.modules)",
        SYS + "def has(name): return name in sys.modules",
        SYS + "def has(name):\n    if name not in sys.modules: raise KeyError(name)",
        SYS
        + "def f():\n    saved = dict(sys.modules)\n    yield\n    sys.modules.clear()\n    sys.modules.update(saved)",
        SYS + "def f():\n    saved = sys.modules.copy()\n    yield\n    sys.modules.update(saved)",
        SYS + "def f():\n    saved = dict(sys.modules)\n    for name in list(sys.modules):\n"
        "        if name not in saved: del sys.modules[name]",
        SYS + "names = [name for name, module in sys.modules.items() if name.startswith('ours.')]",
        SYS + "def f():\n    saved = {k: m for k, m in sys.modules.items() if k.startswith('ours')}\n    yield\n"
        "    sys.modules.update(saved)",
        SYS + "for name in set(sys.modules) - before: print(name)",
        SYS + "print(len(sys.modules), sorted(sys.modules), tuple(sys.modules), frozenset(sys.modules))",
        SYS + "for m in list(sys.modules):\n    if m.startswith('ours.'): del sys.modules[m]",
        SYS + "for m in list(sys.modules):\n    if m.startswith('ours.'): sys.modules.pop(m, None)",
        MOCK + "with mock.patch.dict(sys.modules, {'ours.a': None}): pass",
        MOCK + "with mock.patch.dict(sys.modules): pass",
        MOCK + "@mock.patch.dict(sys.modules, {'ours.a': None})\ndef test(): pass",
        SYS + "from unittest.mock import patch\nwith open(x) as f, patch.dict(sys.modules, own=None): pass",
    ],
)
def test_names_of_loaded_modules_are_none(text: str) -> None:
    assert found(text) == 0


@pytest.mark.parametrize(
    "text",
    [
        SYS + "if 'greeter.text' not in sys.modules: pass",
        SYS + "assert 'greeter.text' in sys.modules",
        SYS + "assert ('greeter.text' in sys.modules) not in sys.modules",
        SYS + "assert 'greeter.text' not in own(sys.modules)",
        SYS + "assert 'greeter.text' not in x or run('greeter.text')",
        SYS + "class Box:\n    def __contains__(self, x): run(x)\nassert 'greeter.text' not in Box().modules",
        SYS + "assert 'greeter.text' not in x.modules",
        "modules = Box()\nassert 'greeter.text' not in modules",
        CASE + "self.assertNotIn('greeter.text', sys.modules)",
        CASE + "self.assertIn('greeter.text', sys.modules)",
        CASE.replace("unittest.T", "own.T") + "self.assertNotIn('greeter.text', sys.modules)",
        # A module, or the table itself, is handed out.
        SYS + "all = dict(sys.modules)",
        SYS + "all = list(sys.modules.values())",
        SYS + "def f():\n    saved = dict(sys.modules)\n    saved[name].greet()",
        SYS + "def f():\n    saved = dict(sys.modules)\n    return saved",
        SYS + "def f():\n    saved = dict(sys.modules)\n    run(saved)",
        SYS + "def f():\n    saved = dict(sys.modules)\n    for m in saved.values(): m.greet()",
        SYS + "def f():\n    saved = dict(sys.modules)\n    own.update(saved)",
        SYS + "def f():\n    dict(sys.modules)[name].greet()",
        SYS + "def dict(x): return x\ndef f():\n    saved = dict(sys.modules)",
        SYS + "saved = {k: m for k, m in sys.modules.items()}",
        SYS + "found = [m for k, m in sys.modules.items() if k == name]",
        SYS + "found = [k for k, m in sys.modules.items() if m.greet()]",
        SYS + "def f():\n    saved = {k: m for k, m in sys.modules.items() if m.greet()}",
        SYS + "def f():\n    saved = {k: m.greet() for k, m in sys.modules.items()}",
        SYS + "sys.modules.update(chosen)",
        SYS + "def f():\n    saved = dict(sys.modules)\n    saved = chosen\n    sys.modules.update(saved)",
        SYS + "class C:\n    saved = dict(sys.modules)",
        SYS + "def f():\n    global saved\n    saved = dict(sys.modules)",
        SYS + "all = map(run, sys.modules)",
        SYS + "all = sorted(sys.modules, key=sys.modules.get)",
        SYS + "all = own.list(sys.modules)",
        SYS + "all = list(x, sys.modules)",
        SYS + "all = list(*sys.modules.items())",
        SYS + "m = sys.modules.pop(name)",
        SYS + "run(sys.modules.pop(name))",
        SYS + "sys.modules.pop(name).greet()",
        SYS + "sys.modules.pop(name)\n_.greet()",
        SYS + "sys.modules[name].x = 1",
        SYS + "del sys.modules[name].x",
        SYS + "del (m := sys.modules)[name]",
        SYS + "sys.modules.popitem()",
        SYS + "for m in list(sys.modules): sys.modules[m].greet()",
        # Another function, or another one's use of the table.
        SYS + "def list(x): return x\nlist(sys.modules)[name].greet()",
        SYS + "from own import list\nlist(sys.modules)[name].greet()",
        SYS + "from own import *\nlist(sys.modules)[name].greet()",
        SYS + "def f(list): return list(sys.modules)",
        SYS + "globals()['list'] = own\nlist(sys.modules)[name].greet()",
        SYS + "globals().update(chosen)\nlist(sys.modules)[name].greet()",
        SYS + "import builtins\nbuiltins.list = own\nlist(sys.modules)[name].greet()",
        SYS + "import builtins\nsetattr(builtins, chosen, own)\nlist(sys.modules)[name].greet()",
        SYS + "import builtins as b\nb.list = own\nlist(sys.modules)[name].greet()",
        SYS + "class list(dict): pass\nlist(sys.modules)[name].greet()",
        MOCK + "with mock.patch.dict(sys.modules) as m: m[name].greet()",
        MOCK + "p = mock.patch.dict(sys.modules)\np.in_dict[name].greet()",
        MOCK + "mock.patch.dict(sys.modules).in_dict[name].greet()",
        MOCK + "@own(mock.patch.dict(sys.modules))\ndef test(): pass",
        MOCK + "with mock.patch.dict(x, sys.modules): x[name].greet()",
        MOCK + "with mock.patch.object(sys.modules): pass",
        SYS + "from own import mock\nwith mock.patch.dict(sys.modules): pass",
        SYS + "import own as mock\nwith mock.patch.dict(sys.modules): pass",
        SYS + "from own import patch\nwith patch.dict(sys.modules): pass",
        MOCK + "mock = own\nwith mock.patch.dict(sys.modules): pass",
        MOCK + "mock.patch.dict = own\nwith mock.patch.dict(sys.modules): pass",
        MOCK + "with own.mock.patch.dict(sys.modules): pass",
        MOCK + "with mock.patch.dict(sys.modules, {'greeter.text': x}): pass",
    ],
)
def test_a_loaded_module_that_is_taken_is_found(text: str) -> None:
    assert found(text)
