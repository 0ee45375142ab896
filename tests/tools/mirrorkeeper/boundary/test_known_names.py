"""Computed names that cannot be the package are no findings; the same look around one that can be is one."""

from __future__ import annotations

import ast

import pytest

from tools.mirrorkeeper.boundary.package_names import PackageNames
from tools.mirrorkeeper.boundary.references import references
from tools.mirrorkeeper.boundary.texts.worth_reading import may_refer

NAMES = PackageNames("greeter", ("upstream.src",))
LOAD = "from importlib import import_module\n"
PLUGINS = LOAD + "PLUGINS = ['ours.doc', 'ours.err']\n"
EACH = LOAD + "import pytest\n@pytest.mark.parametrize('name', ['ours.doc', 'ours.err'])\n"
TEST = "def test_it(name):\n    assert import_module(name)\n"
ABOVE = "__name__.rpartition('.')[0]"


def found(text: str, module: str = "ours.rel.part") -> int:
    count = len(list(references(ast.parse(text), NAMES, module.rpartition(".")[0], module)))
    assert not count or may_refer(text, NAMES)
    return count


@pytest.mark.parametrize(
    "text",
    [
        PLUGINS + "def load():\n    return [import_module(p) for p in PLUGINS]",
        PLUGINS + "for p in PLUGINS:\n    import_module(p)",
        PLUGINS + "for p in PLUGINS:\n    print(p)\nfor q in PLUGINS:\n    import_module(q)",
        EACH + TEST,
        EACH + "@pytest.mark.slow\n" + TEST,
        EACH + "async " + TEST,
        LOAD + f"import_module({ABOVE} + '.greeter')",
        LOAD + f"import_module({ABOVE} + '.' + name)",
        LOAD + f'import_module(f"{{{ABOVE}}}.greeter")',
        LOAD + "import_module(__name__.partition('.')[0] + '.text')",
        LOAD + "import_module(f'plugins.{name}')",
        LOAD + "import_module('plugins.' + name)",
        LOAD + "import_module('.' + name, __package__)",
        LOAD + "import_module(f'.{name}', 'ours.rel')",
        "import sys\nassert not any(n == 'greeter' or n.startswith('greeter.') for n in sys.modules)",
        "import sys\nfor name in sys.modules:\n    print(name)",
        "from sys import modules\nnames = {name for name in modules if name.startswith('greeter')}",
        "NAMES = ['greeter', 'other']\nprint(NAMES)",
        "import settings\nsettings.names.append('greeter')",
    ],
)
def test_a_computed_name_that_cannot_be_the_package_is_none(text: str) -> None:
    assert found(text) == 0


@pytest.mark.parametrize(
    "text",
    [
        # A list that is not what it was written as, or holds the package.
        PLUGINS.replace("ours.err", "greeter") + "[import_module(p) for p in PLUGINS]",
        PLUGINS.replace("ours.err", "upstream.src.greeter") + "[import_module(p) for p in PLUGINS]",
        PLUGINS.replace("'ours.err'", "chosen") + "[import_module(p) for p in PLUGINS]",
        PLUGINS.replace("'ours.err'", "*more") + "[import_module(p) for p in PLUGINS]",
        PLUGINS.replace("ours.err", ".err") + "[import_module(p, chosen) for p in PLUGINS]",
        PLUGINS + "PLUGINS.append(chosen)\n[import_module(p) for p in PLUGINS]",
        PLUGINS + "PLUGINS += more\n[import_module(p) for p in PLUGINS]",
        PLUGINS + "PLUGINS[0] = chosen\n[import_module(p) for p in PLUGINS]",
        PLUGINS + "PLUGINS[:] = chosen\n[import_module(p) for p in PLUGINS]",
        PLUGINS + "other = PLUGINS\nother.append(chosen)\n[import_module(p) for p in PLUGINS]",
        PLUGINS + "fill(PLUGINS)\n[import_module(p) for p in PLUGINS]",
        PLUGINS + "def add():\n    global PLUGINS\n    PLUGINS = more\n[import_module(p) for p in PLUGINS]",
        PLUGINS + "globals()['PLUG' + 'INS'] = more\n[import_module(p) for p in PLUGINS]",
        PLUGINS + "setattr(me, 'PLUG' + 'INS', more)\n[import_module(p) for p in PLUGINS]",
        PLUGINS + "from x import PLUGINS\n[import_module(p) for p in PLUGINS]",
        PLUGINS + "from x import *\n[import_module(p) for p in PLUGINS]",
        PLUGINS + "import x as PLUGINS\n[import_module(p) for p in PLUGINS]",
        PLUGINS + "def f(PLUGINS):\n    return [import_module(p) for p in PLUGINS]",
        PLUGINS + "with x as PLUGINS: pass\n[import_module(p) for p in PLUGINS]",
        PLUGINS + "for p in PLUGINS:\n    p = f(p)\n    import_module(p)",
        PLUGINS + "for p in PLUGINS:\n    p += rest\n    import_module(p)",
        PLUGINS + "for p in PLUGINS:\n    import_module(p + rest)",
        PLUGINS + "def f(p):\n    import_module(p)\nfor p in PLUGINS: f(p)",
        PLUGINS + "for p in PLUGINS: pass\nfor p in more: import_module(p)",
        PLUGINS + "for p, q in pairs: import_module(p)",
        PLUGINS.replace("PLUGINS", "plugins") + "for p in plugins: import_module(p)",
        PLUGINS + "for p in PLUGINS: pass\ndef f():\n    from x import p\n    import_module(p)",
        PLUGINS + "for p in PLUGINS: pass\ntry: g()\nexcept E as p: import_module(p)",
        PLUGINS + "for p in PLUGINS: pass\nmatch z:\n    case [p]: import_module(p)",
        PLUGINS + "for p in PLUGINS: pass\nmatch z:\n    case {**p}: import_module(p)",
        PLUGINS + "for p in PLUGINS: pass\nmatch z:\n    case [*p]: import_module(p[0])",
        PLUGINS + "for p in PLUGINS: pass\ndef p(): pass\nimport_module(p)",
        PLUGINS + "for p in PLUGINS: pass\nimport p.q\nimport_module(p)",
        PLUGINS + "for p in PLUGINS: pass\ndef f():\n    global p\n    import_module(p)",
        LOAD + "for p in ('ours.doc',): pass\nimport z as p\nimport_module(p)",
        # A test with another caller, or with other values than those of its mark.
        EACH.replace("ours.err", "greeter") + TEST,
        EACH.replace("'ours.err'", "chosen") + TEST,
        EACH + TEST + "test_it(chosen)",
        EACH + TEST + "run(test_it)",
        EACH + "@calls\n" + TEST,
        EACH + TEST + "getattr(me, 'test_it')(chosen)",
        EACH + TEST + "me.test_it(chosen)",
        EACH + TEST + "globals()['test' + '_it'](chosen)",
        EACH + TEST + "for f in vars().values(): f(chosen)",
        EACH + TEST.replace("    assert", "    from x import name\n    assert"),
        EACH + TEST.replace("    assert", "    try: f()\n    except E as name: pass\n    assert"),
        EACH.replace("'ours.err'])", "'ours.err'], indirect=True)") + TEST,
        EACH + TEST.replace("name):", "name=chosen):"),
        EACH + TEST.replace("    assert", "    name = chosen\n    assert"),
        EACH + TEST.replace("test_it", "check"),
        EACH + TEST + "def test_other(name):\n    import_module(name)",
        EACH.replace("import pytest", "import own as pytest") + TEST,
        EACH.replace("import pytest", "from own import pytest") + TEST,
        "class pytest: mark = Mark()\n" + EACH.replace("import pytest\n", "") + TEST,
        EACH + "def test_it(request, other):\n    assert import_module(request.param)",
        # A name above the own one that is that of the package, or cannot be told.
        LOAD + "import_module(__name__.rsplit('.', 2)[0] + name)",
        LOAD + "import_module(__name__.rpartition('.')[2] + name)",
        LOAD + "import_module(__name__.rpartition(chosen)[0] + name)",
        LOAD + "import_module(other.rpartition('.')[0] + '.part')",
        LOAD + f"__name__ = chosen\nimport_module({ABOVE} + '.part')",
        LOAD + f"import_module({ABOVE} + name)",
        LOAD + "import_module('.' + name, chosen)",
        LOAD + "import_module('gree' + name)",
        LOAD + "import_module(name + '.plugins')",
        # Modules, and not names, of `sys.modules`.
        "import sys\nfor name in sys.modules:\n    sys.modules[name].greet()",
        "import sys\nfor module in sys.modules.values():\n    module.greet()",
        "import sys\nfor name, module in sys.modules.items():\n    module.greet()",
        "import sys\nall = {**sys.modules}",
        "import sys\nfor modules in (sys.modules,):\n    modules[name].greet()",
        "import sys\n[m for m in [sys.modules]]",
        LOAD + "import sys\n[import_module(n) for n in sys.modules if n[0] == 'g']",
        # A constant of another file that is given the package.
        "from ours.plug import PLUGINS\nPLUGINS.append('greeter')",
        "from ours.plug import PLUGINS as found\nfound.append('greeter')",
        "import ours.plug\nours.plug.PLUGINS.extend(['greeter'])",
        "from ours import plug\nplug.PLUGINS += ['greeter']",
        "from ours import plug\nplug.PLUGINS = ('ours.doc', 'greeter')",
        "from ours import plug\nplug.PLUGINS[0] = 'greeter'",
        "from ours.plug import PLUGINS\nPLUGINS[:] = ['greeter']",
        "from ours.plug import PLUGINS\nPLUGINS.__iadd__(['greeter'])",
        "import ours.plug as q\nsetattr(q, 'PLUGINS', ['greeter'])",
        "def test(monkeypatch):\n    monkeypatch.setattr('ours.plug.PLUGINS', ['greeter'])",
        "import ours.plug as q\ndef test(monkeypatch):\n    monkeypatch.setattr(q, 'PLUGINS', ['greeter'])",
        "from unittest.mock import patch\nwith patch('ours.plug.PLUGINS', new=['greeter']): run()",
    ],
)
def test_a_computed_name_that_can_be_the_package_is_found(text: str) -> None:
    assert found(text)


@pytest.mark.parametrize(
    ("module", "argument"),
    [
        ("greeter.part", f"{ABOVE} + '.text'"),
        ("ours.greeter.part", f"{ABOVE} + '.text'"),
        ("upstream.part", f"{ABOVE} + '.src.greeter'"),
        ("greet.part", f"{ABOVE}[:0] + 'greeter'"),
        ("ours.part", f"{ABOVE} + 'greeter'"),
        ("greeter.part", "__name__.partition('.')[0] + '.text'"),
        ("ours.greeter.part", "__name__.partition('.')[0] + '.text'"),
        ("", f"{ABOVE} + '.text'"),
    ],
)
def test_a_name_above_the_own_one_that_may_lead_to_the_package_is_found(module: str, argument: str) -> None:
    assert found(f"{LOAD}import_module({argument})", module)
