"""A pattern that pre-commit looks for is none; a hook that runs what looks like one is a finding."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.mirrorkeeper.boundary.commands.files import command_findings
from tools.mirrorkeeper.boundary.package_names import PackageNames
from tools.mirrorkeeper.modules import Module

NAMES = PackageNames("greeter", ("upstream.src",))
HOOKS = "repos:\n- repo: local\n  hooks:\n"


def found(text: str, name: str = ".pre-commit-config.yaml") -> list[int]:
    module = Module(name, text.encode())
    return [one.line for one in command_findings(module, NAMES, "upstream", Path("/"), "ours")]


@pytest.mark.parametrize(
    "hook",
    [
        '  - id: a\n    name: a\n    language: pygrep\n    entry: "import greeter"\n',
        "  - id: a\n    entry: 'from greeter import'\n    types: [python]\n    language: pygrep\n",
        "    -   entry: 'import greeter'\n        language: pygrep\n        id: a\n",
    ],
)
def test_a_pattern_is_none(hook: str) -> None:
    assert found(HOOKS + hook) == []
    assert found(HOOKS + hook + "  - id: b\n    entry: python -m greeter\n    language: system\n")
    assert found(HOOKS + "  - id: b\n    entry: python -m greeter\n    language: system\n" + hook) == [5]


@pytest.mark.parametrize(
    "hook",
    [
        "  - id: a\n    entry: python -m greeter\n    language: system\n",
        "  - id: a\n    entry: python -m greeter\n    language: pygrep\n    language: system\n",
        "  - id: a\n    entry: python -m greeter\n    # language: pygrep\n    language: system\n",
        "  - id: a\n    entry: python -m greeter\n    description: |\n        language: pygrep\n",
        "  - id: a\n    entry: python -m greeter\n    language: pygrep-own\n",
        "  - id: a\n    entry: >\n      python -m greeter\n    language: pygrep\n",
        "  - {id: a, entry: python -m greeter, language: system}\n  - {language: pygrep}\n",
        "  - id: a\n    entry: python -m greeter\n    args:\n    - x\n    language: pygrep\n    language: system\n",
    ],
)
def test_a_hook_that_runs_the_package_is_found(hook: str) -> None:
    assert len(found(HOOKS + hook)) == 1


def test_the_same_lines_of_another_file_are_a_finding() -> None:
    assert found(HOOKS + '  - id: a\n    language: pygrep\n    entry: "import greeter"\n', "x.yaml") == [6]
