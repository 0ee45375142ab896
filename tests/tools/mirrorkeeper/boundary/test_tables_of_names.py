"""Names of modules out of a literal table are known; a table that something may change is a finding."""

from __future__ import annotations

import ast

import pytest

from tools.mirrorkeeper.boundary.package_names import PackageNames
from tools.mirrorkeeper.boundary.references import references

NAMES = PackageNames("greeter", ("upstream.src",))
LOAD = "from importlib import import_module\n"
LAZY = (
    LOAD + "_LAZY = {'A': '.one', 'B': '.two'}\ndef __getattr__(name): return import_module(_LAZY[name], __package__)\n"
)
NAMED = LOAD + "MODS = {'a': 'ours.a'}\nfor k, n in MODS.items(): import_module(n)\n"
ROWS = LOAD + "ROWS = [('ours.a', 'x'), ('ours.b', 'y')]\nx = [getattr(import_module(m), n) for m, n in ROWS]\n"


def found(text: str) -> int:
    return len(list(references(ast.parse(text), NAMES, "ours", "ours.part")))


@pytest.mark.parametrize(
    "text",
    [
        LAZY,
        LAZY.replace("_LAZY =", "_LAZY: dict[str, str] ="),
        LAZY + "def __dir__(): return [one for one in _LAZY]\nif name in _LAZY: pass",
        LAZY.replace("'.one'", "'json'"),
        LAZY + "__all__ = sorted(_LAZY)",
        LAZY + "__all__ = [*_LAZY, 'more']; count = len(_LAZY); names = list(_LAZY), tuple(_LAZY), set(_LAZY)",
        LAZY + "def __dir__(): return sorted(_LAZY.keys())",
        LAZY + "def __dir__(): return sorted([*globals(), *_LAZY])",
        LAZY + "def __dir__(): return sorted(set(globals()) | set(_LAZY))",
        LAZY + "def __dir__(): return list(globals().keys() | _LAZY.keys())",
        LAZY + "copy = {**_LAZY}; other = dict(_LAZY); values = list(_LAZY.values()); pairs = tuple(_LAZY.items())",
        LAZY + "text = ', '.join(_LAZY); one = _LAZY.get(name); print(*_LAZY)",
        LAZY.replace("_LAZY[name]", "_LAZY.get(name)"),
        NAMED,
        NAMED.replace("k, n in MODS.items()", "n in MODS.values()"),
        NAMED.replace("k, n in MODS.items()", "i, (k, n) in enumerate(MODS.items())"),
        LOAD + "for n in {'a': 'ours.a'}.values(): import_module(n)",
        LOAD + "for k, n in {'ours.a': 1}.items(): import_module(k)",
        LOAD + "for i, n in enumerate(['ours.a', 'ours.b'], 1): import_module(n)",
        LOAD + "for m, n in (('ours.a', x), ('ours.b', y)): import_module(m)",
        ROWS,
        ROWS.replace("[(", "((").replace("')]", "'))"),
    ],
)
def test_a_name_out_of_a_literal_table_is_known(text: str) -> None:
    assert found(text) == 0


@pytest.mark.parametrize(
    "text",
    [
        LAZY.replace("'.two'", "'greeter'"),
        LAZY.replace("'.two'", "chosen"),
        LAZY.replace("'B': '.two'", "**chosen"),
        LAZY.replace("__package__", "chosen"),
        LAZY.replace("__package__", "'greeter'"),
        LAZY.replace("'.two'", "'..upstream.src.greeter'"),
        LAZY.replace("[name]", "[name] + chosen"),
        LAZY.replace("_LAZY", "_lazy"),  # another file can change it
        LAZY + "_LAZY['C'] = chosen",
        LAZY + "_LAZY['C'] += chosen",
        LAZY + "_LAZY.setdefault('C', chosen)",
        LAZY + "_LAZY.pop('A'); _LAZY.clear()",
        LAZY + "other = _LAZY",
        LAZY + "def f(): return _LAZY",
        LAZY + "def sorted(x): x['C'] = chosen\n__all__ = sorted(_LAZY)",
        LAZY + "from own import sorted\n__all__ = sorted(_LAZY)",
        LAZY + "run(_LAZY); own.sorted(_LAZY)",
        LAZY + "run(_LAZY.items())",
        LAZY + "update = _LAZY.update",
        LAZY + "(globals())['_LA' + 'ZY'] = chosen",
        LAZY + "run(globals())",
        LAZY + "globals()['_LA' + 'ZY']['C'] = chosen",
        LAZY + "dict(globals())['_LA' + 'ZY']['C'] = chosen",
        LAZY + "{**globals()}['_LA' + 'ZY']['C'] = chosen",
        LAZY + "for one in globals().values(): one['C'] = chosen",
        LAZY + "def map(f, x): x['C'] = chosen\nmap(run, _LAZY)",
        LAZY + "globals().update(chosen)",
        LAZY + "[run(one) for one in [*globals().values()]]",
        LAZY.replace("_LAZY[name]", "_LAZY.get(name, chosen)"),
        LAZY.replace("'.two'", "chosen").replace("_LAZY[name]", "_LAZY.get(name)"),
        LAZY + "_LAZY.update(chosen)",
        LAZY + "_LAZY |= chosen",
        LAZY + "del _LAZY['A']; run(_LAZY)",
        LAZY + "_LAZY = chosen",
        LAZY + "def f():\n    global _LAZY\n    _LAZY = chosen",
        LAZY + "me._LAZY = chosen",
        LAZY + "globals()[x] = chosen",
        LAZY + "setattr(me, '_LAZY', chosen)",
        LAZY + "def f(_LAZY): return import_module(_LAZY[name], __package__)",
        LAZY + "from own import *",
        NAMED.replace("'ours.a'", "'greeter'"),
        NAMED.replace("(n)", "(n + chosen)"),
        NAMED + "MODS['b'] = chosen",
        NAMED + "n = chosen",
        NAMED + "def enumerate(x): x['b'] = chosen\nfor i, m in enumerate(MODS): pass",
        NAMED + "run(MODS.items())",
        NAMED + "for MODS['b'] in chosen: pass",
        LOAD + "for k, n in own.items(): import_module(n)",
        LOAD + "for k, n in {'a': 'ours.a', **chosen}.items(): import_module(n)",
        LOAD + "for k, n in {'a': 'greeter'}.items(): import_module(n)",
        LOAD + "for k, n in {'greeter': 1}.items(): import_module(k)",
        LOAD + "for n, k in {'a': 'ours.a', chosen: 'x'}.items(): import_module(n)",
        LOAD + "for n in {'a': 'ours.a'}.own(): import_module(n)",
        LOAD + "for i, n in enumerate(['ours.a', 'greeter']): import_module(n)",
        LOAD + "for i, n in own(['ours.a']): import_module(n)",
        LOAD + "def enumerate(x): return chosen\nfor i, n in enumerate(['ours.a']): import_module(n)",
        LOAD + "for i, n in enumerate(['.a']): import_module(n, chosen)",
        LOAD + "for m, n in (('ours.a', 'greeter'), ('ours.b', 'y')): import_module(n)",
        LOAD + "for m, n in (('ours.a', x), chosen): import_module(m)",
        LOAD + "for m, n in (('ours.a', x), (*chosen, y)): import_module(m)",
        LOAD + "for m, *n in (('ours.a', 'greeter'),): import_module(n[0])",
        LOAD + "for m, m in (('ours.a', 'json'),): import_module(m)",
        ROWS + "ROWS.append(chosen)",
        ROWS + "ROWS[0] = chosen",
        ROWS + "run(ROWS)",
        ROWS.replace("('ours.a', 'x')", "['ours.a', 'x']") + "for r in ROWS: r[0] = chosen",
        ROWS.replace("ROWS", "rows"),
    ],
)
def test_a_table_that_may_hold_the_package_is_found(text: str) -> None:
    assert found(text)
