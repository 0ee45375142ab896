"""Texts that only look like imports are no findings; imports that hide behind the same look are."""

from __future__ import annotations

import ast
import itertools
from pathlib import Path

import pytest

from tools.mirrorkeeper.boundary.commands.files import command_findings
from tools.mirrorkeeper.boundary.package_names import PackageNames
from tools.mirrorkeeper.boundary.references import ReferenceKind, references
from tools.mirrorkeeper.boundary.texts.worth_reading import may_refer
from tools.mirrorkeeper.modules import Module

NAMES = PackageNames("greeter", ("upstream.src",))
LOAD = "import importlib\nimportlib.import_module({})\n"


def found(text: str, module: str = "ours.part") -> list[ReferenceKind]:
    inside = module.rpartition(".")[0]
    kinds = [one.kind for one in references(ast.parse(text), NAMES, inside, module)]
    assert not kinds or may_refer(text, NAMES)
    return kinds


def lines(text: str) -> list[str]:
    return [one.code for one in command_findings(Module("x.sh", text.encode()), NAMES, "upstream", Path("/"), "ours")]


@pytest.mark.parametrize(
    "argument",
    [
        '__name__ + ".x"',
        'f"{__name__}.x"',
        '__package__ + ".x"',
        'f"{__package__}.{name}"',
        '__name__ + "." + name',
        "__name__",
        '__name__ + "." + "greeter"',
    ],
)
@pytest.mark.parametrize("module", ["ours.part", "ours", "src.ours.deep.part", "ours.part.__init__"])
def test_a_module_below_the_own_one_is_none(argument: str, module: str) -> None:
    assert found(LOAD.format(argument), module) == []


BOUND = [
    "__name__ = chosen",
    "__package__ = chosen",
    "for __name__ in names: pass",
    "with x as __name__: pass",
    "import x as __name__",
    "from x import __name__",
    "from x import *",
    "del __name__",
    "x = (__name__ := chosen)",
    "def f(__name__): pass",
    "def __name__(): pass",
    "try: pass\nexcept E as __name__: pass",
    "match x:\n    case {**__name__}: pass",
    "match x:\n    case __name__: pass",
    "[1 for __name__ in names]",
    "globals()['__name' + '__'] = chosen",
    "vars().update(chosen)",
    "f.__globals__.update(chosen)",
    "f.__name__ = chosen",
    "x.__dict__[chosen] = chosen",
    "setattr(x, chosen, chosen)",
    "exec('__na' + 'me__ = chosen')",
    "x = '__name__'",
    "f(**{'__package__': chosen})",
    "f(__name__=chosen)",
    "sys.modules[__name__] = chosen",
]


@pytest.mark.parametrize(("binding", "name"), [*itertools.product(BOUND, ["__name__", "__package__"])])
def test_a_name_that_the_file_may_bind_is_unknown(binding: str, name: str) -> None:
    text = f"{binding}\n{LOAD.format(f'{name} + {chr(34)}.x{chr(34)}')}"

    assert ReferenceKind.UNKNOWN in found(text)


@pytest.mark.parametrize(
    ("module", "argument"),
    [
        ("greeter.part", '__name__ + ".x"'),
        ("lib.greeter.part", '__name__ + ".x"'),
        ("lib.greeter", '__name__ + ".x"'),
        ("greeter.__init__", '__package__ + ".x"'),
        ("lib.greeter.part", '__package__ + ".x"'),
        ("upstream.__init__", '__package__ + ".src.greeter"'),
        ("upstream", '__name__ + ".src.greeter"'),
        ("lib.upstream", '__name__ + ".src." + name'),
        ("gree", '__name__ + "ter"'),
        ("gree", '__name__ + "ter." + name'),
        ("lib.g", "__name__ + name"),
        ("ours.part", '__name__[:0] + "greeter"'),
        ("ours.part", '__name__.replace("ours", name)'),
        ("ours.part", 'name + __name__ + ".x"'),
        ("", '__name__ + ".x"'),
    ],
)
def test_a_name_that_may_lead_to_the_package_is_found(module: str, argument: str) -> None:
    assert found(LOAD.format(argument), module)


@pytest.mark.parametrize(
    "text",
    [
        "import ours.part as part\npart.__name__ = 'greeter'",
        "__name__ = 'greeter'",
        "setattr(part, '__name__', 'greeter')",
        "part.__setattr__('__package__', 'greeter.text')",
        "part.__dict__['__name__'] = 'greeter'",
        "exec(code, {'__name__': 'greeter'})",
        "import runpy\nrunpy.run_path('ours/part.py', run_name='greeter')",
        "import runpy\nrunpy.run_path('ours/part.py', None, 'greeter.text')",
        "import runpy\nrunpy.run_module('ours.part', run_name='greeter')",
        "types.FunctionType(part.f.__code__, dict(__name__='upstream.src.greeter'))",
        "from importlib.util import spec_from_file_location\nspec_from_file_location('greeter', 'ours/part.py')",
    ],
)
def test_a_module_that_is_given_the_name_of_the_package_is_found(text: str) -> None:
    assert found(text)


@pytest.mark.parametrize(
    "text",
    [
        "if __name__ == '__main__':\n    run('greeter')",
        "log = getLogger(__name__)\nname = 'greeter'",
        "f.__name__ = 'greet'",
        "x = {'__name__': name, 'greeter': 1}",
    ],
)
def test_the_word_beside_another_use_of_the_name_is_none(text: str) -> None:
    assert found(text) == []


SEARCHES = [
    "assert {} not in text",
    "assert {} in text",
    "if {} in text: pass",
    "x = [one for one in lines if {} not in one]",
]


@pytest.mark.parametrize(
    ("search", "text"),
    [
        *itertools.product(
            SEARCHES,
            [
                '"import greeter"',
                'f"import greeter, {x}"',
                'b"from greeter import text"',
                '"import " + "greeter"',
                '"python -m greeter"',
            ],
        )
    ],
)
def test_a_text_that_is_looked_for_is_none(search: str, text: str) -> None:
    assert found(search.format(text)) == []


@pytest.mark.parametrize(
    "text",
    [
        'assert x not in text, "import greeter"',
        'assert text in "import greeter"',
        'assert (code := "import greeter") not in text',
        'assert run("import greeter") in text',
        'assert "import greeter" == text',
        'assert ("import greeter", 1) not in text',
        'assert [exec("import greeter")] not in text',
        'class Box:\n    def __contains__(self, text): run(text)\n"import greeter" in Box()',
        'Box.__contains__ = run\n"import greeter" in Box()',
        'Box = type("Box", (), {"__contains__": run})\n"import greeter" in Box()',
        'Box = type("Box", (), dict(__contains__=run))\n"import greeter" in Box()',
        'class Box:\n    __contains__ = run\n"import greeter" in Box()',
        'class Box:\n    __contains__: object = run\n"import greeter" in Box()',
        'class Box:\n    from runs import __contains__\n"import greeter" in Box()',
        'class Box:\n    from runs import run as __contains__\n"import greeter" in Box()',
        'assert "import greeter" not in text\nrun("import greeter")',
        'assert "greeter.text" in sys.modules',
    ],
)
def test_a_text_beside_a_search_or_run_by_it_is_found(text: str) -> None:
    assert found(text)


@pytest.mark.parametrize(
    "line",
    [
        'git log --grep "import greeter"',
        "git log --grep='import greeter' --oneline",
        "git -C ours log -S 'from greeter import text' | head",
        'git log -S"import greeter" -- ours',
        'git --no-pager log --author "a b" --grep "import greeter" --grep "from greeter import x"',
        'count=$(git rev-list --count --grep "import greeter" HEAD)',
        "sh -c \"git log -G 'import greeter'\"",
        'git commit -m "import greeter lazily"',
        "git tag -a -m 'from greeter import x' v1",
        'git -C ours commit -am "import greeter" && git push',
        'git merge --no-ff --message "import greeter" topic',
    ],
)
def test_a_search_in_the_history_is_none(line: str) -> None:
    assert lines(line) == []


@pytest.mark.parametrize(
    "line",
    [
        'git log --grep "import greeter"; python -m greeter',
        'git log --grep "import greeter" && python -c "import greeter"',
        'git log --grep "import $(python -m greeter)"',
        'git log --grep "import `python -m greeter`"',
        "git log --grep 'x; python -m greeter; echo '",
        "git log --grep ' python -m greeter '",
        "x='\ngit log --grep ' python -m greeter '\n'",
        "git -c core.pager=\"python -c 'import greeter'\" log --grep x",
        "git -c core.pager='python -m greeter' log --grep 'import greeter'",
        'git log --grep x --format="%s" | python -c "import greeter"',
        'git commit --fixup x --exec "import greeter"',
        'git commit -m "import greeter" | python',
        'git commit -m "import greeter"\ngit log -1 --format=%s | python3',
        'git commit -m "import greeter"\npython -c "$(git log -1 --format=%s)"',
        'git commit -m "import greeter"\ngit log -1 | $PY',
        'git commit -m "import greeter; python -m greeter"',
        'git commit -m "x" && python -c "import greeter"',
        'git -c core.editor="python -m greeter" commit -m "import x"',
        'git() { python -c "$3"; }\ngit commit -m "import greeter"',
        "git bisect run python -c 'import greeter'",
        "git rebase --exec \"python -c 'import greeter'\"",
        'git() { python -c "$3"; }\ngit log --grep "import greeter"',
        'alias git="python -c"\ngit "import greeter"',
        'function git { python -c "$3"; }\ngit log --grep "import greeter"',
        'python -c "import greeter" git log --grep "import x"',
        'bin/git log --grep "import greeter"',
        'pygit log --grep "import greeter"',
        "python -c \"import os; 'git log --grep'; import greeter\"",
    ],
)
def test_a_command_beside_a_search_in_the_history_is_found(line: str) -> None:
    assert lines(line)
