"""Names that a file makes of its own one are known; a file that may have given them another value is a finding."""

from __future__ import annotations

import ast

import pytest

from tools.mirrorkeeper.boundary.package_names import PackageNames
from tools.mirrorkeeper.boundary.references import references

NAMES = PackageNames("greeter", ("upstream.src",))
LOAD = "import pkgutil\nfrom importlib import import_module\n"
ABOVE = LOAD + "PARENT = __name__.rpartition('.')[0]\n"
WALK = LOAD + "for _, name, _ in pkgutil.walk_packages(p, prefix=__name__ + '.'): import_module(name)"
INFO = LOAD + "for one in pkgutil.iter_modules(p, __name__ + '.'): import_module(one.name)"
SPEC = LOAD + "import_module('.part', __spec__.parent)"


def found(text: str, module: str = "ours.part") -> int:
    return len(list(references(ast.parse(text), NAMES, module.rpartition(".")[0], module)))


@pytest.mark.parametrize(
    "text",
    [
        ABOVE + "import_module(PARENT + '.one')",
        ABOVE + "def f(name): import_module(f'{PARENT}.one.{name}')",
        ABOVE + "PREFIX = PARENT + '.one'\nimport_module(PREFIX + '.two')",
        LOAD + "_OWN = __name__\nimport_module(_OWN + '.two')",
        LOAD + "AROUND: str = __package__\nimport_module(f'{AROUND}.two')",
        LOAD + "import_module(__name__.rsplit('.', 1)[0] + '.two')",
        LOAD + "import_module(__name__.split('.')[0] + '.two')",
        LOAD + "import_module(__name__.split('.', 1)[0] + '.two')",
        SPEC,
        LOAD + "import_module(__spec__.parent + '.part')",
        LOAD + "import_module('.part', package=__spec__.parent)\nprint(__spec__.name)",
        WALK,
        WALK.replace("pkgutil.walk", "walk").replace("import pkgutil", "from pkgutil import walk_packages"),
        WALK.replace("prefix=__name__ + '.'", "f'{__name__}.'"),
        WALK.replace("__name__ + '.'", "'ours.'"),
        WALK.replace("__name__ + '.'", "PREFIX").replace("for", "PREFIX = __name__ + '.'\nfor"),
        INFO,
        LOAD + "x = [import_module(one.name) for one in pkgutil.iter_modules(p, __package__ + '.')]",
    ],
)
def test_a_name_that_is_made_of_the_own_one_is_none(text: str) -> None:
    assert found(text) == 0


@pytest.mark.parametrize(
    "text",
    [
        ABOVE + "PARENT = chosen\nimport_module(PARENT + '.one')",
        ABOVE + "PARENT += chosen\nimport_module(PARENT + '.one')",
        ABOVE + "def f(PARENT): import_module(PARENT + '.one')",
        ABOVE + "def f():\n    global PARENT\n    import_module(PARENT + '.one')",
        ABOVE + "from own import PARENT\nimport_module(PARENT + '.one')",
        ABOVE + "from own import *\nimport_module(PARENT + '.one')",
        ABOVE + "import ours.part as me\nme.PARENT = chosen\nimport_module(PARENT + '.one')",
        ABOVE + "setattr(me, 'PARENT', chosen)\nimport_module(PARENT + '.one')",
        ABOVE + "globals().update(chosen)\nimport_module(PARENT + '.one')",
        ABOVE + "__name__ = chosen\nimport_module(PARENT + '.one')",
        ABOVE + "import_module(PARENT + name)",
        ABOVE + "import_module(PARENT[:0] + name)",
        ABOVE + "import_module(PARENT.replace('ours', name) + '.x')",
        ABOVE.replace("PARENT", "parent") + "import_module(parent + '.one')",  # another file can change it
        "class A:\n    PARENT = __name__\n" + LOAD + "import_module(PARENT + '.one')",
        LOAD + "if x:\n    PARENT = __name__\nimport_module(PARENT + '.one')",
        LOAD + "import_module(__name__.rsplit('.', 2)[0] + name)",
        LOAD + "import_module(__name__.rsplit(chosen, 1)[0] + '.x')",
        LOAD + "import_module(__name__.rsplit('.', 1)[1] + name)",
        LOAD + "import_module(__name__.split('.')[1] + '.x')",
        LOAD + "__spec__ = chosen\nimport_module('.part', __spec__.parent)",
        LOAD + "__spec__.name = chosen\nimport_module('.part', __spec__.parent)",
        LOAD + "s = __spec__\ns.name = chosen\nimport_module('.part', __spec__.parent)",
        LOAD + "me.__spec__.name = chosen\nimport_module('.part', __spec__.parent)",
        LOAD + "setattr(x, chosen, y)\nimport_module('.part', __spec__.parent)",
        LOAD + "globals()['__spec__'] = chosen\nimport_module('.part', __spec__.parent)",
        LOAD + "def f(__spec__): import_module('.part', __spec__.parent)",
        LOAD + "import_module('.part', __spec__.name)",
        LOAD + "import_module('.part', other.parent)",
        WALK.replace("prefix=__name__ + '.'", ""),
        WALK.replace("__name__ + '.'", "chosen"),
        WALK.replace("__name__ + '.'", "'greeter.'"),
        WALK.replace("__name__ + '.'", "'gree'"),
        WALK.replace("__name__ + '.'", "''"),
        WALK.replace("_, name, _", "name, _, _"),
        WALK.replace("_, name, _", "_, name, name"),
        WALK.replace("_, name, _", "*_, name, _"),
        WALK + "\nname = chosen",
        WALK.replace("import pkgutil", "import own as pkgutil"),
        WALK.replace("import pkgutil", "from own import pkgutil"),
        WALK.replace("for _", "pkgutil.walk_packages = own\nfor _"),
        WALK.replace("pkgutil.walk", "walk").replace("import pkgutil", "from own import walk_packages"),
        WALK.replace("pkgutil.walk", "own.walk"),
        INFO.replace("one.name)", "one.path)"),
        INFO + "\ndef f(one): import_module(one.name)",
    ],
)
def test_a_name_that_may_have_been_given_another_value_is_found(text: str) -> None:
    assert found(text)


@pytest.mark.parametrize(
    ("module", "text"),
    [
        ("greeter.part", ABOVE + "import_module(PARENT + '.text')"),
        ("ours.greeter.part", ABOVE + "import_module(PARENT + '.text')"),
        ("", ABOVE + "import_module(PARENT + '.text')"),
        ("greeter.part", LOAD + "import_module(__name__.rsplit('.', 1)[0] + '.text')"),
        ("lib.greeter", LOAD + "import_module(__name__.rsplit('.', 1)[0] + '.text')"),
        ("lib.g", LOAD + "import_module(__name__.rsplit('.', 1)[0] + name)"),
        ("lib.greeter", LOAD + "import_module(__name__.split('.')[0] + '.text')"),
        ("greeter.part", SPEC),
        ("upstream.src.part", SPEC.replace(".part", ".greeter")),
        ("lib.greeter.part", LOAD + "import_module(__spec__.parent + '.text')"),
        ("greeter", WALK),
        ("lib.greeter", WALK),
        ("upstream.src", INFO),
    ],
)
def test_a_name_of_the_own_one_that_may_be_the_package_is_found(module: str, text: str) -> None:
    assert found(text, module)
