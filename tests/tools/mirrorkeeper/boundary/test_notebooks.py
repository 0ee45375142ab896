"""Notebooks are read whatever commands stand in them, and a command for a shell counts like any other."""

from __future__ import annotations

import ast
import json
from typing import Any

import pytest

from tools.mirrorkeeper.boundary.package_names import PackageNames
from tools.mirrorkeeper.boundary.references import references
from tools.mirrorkeeper.boundary.texts.notebooks import notebook_code, script_code

NAMES = PackageNames.within("gateway", "mirror/gateway/src", "")


def found(*cells: str, **metadata: Any) -> list[int]:
    """The lines of the references in a notebook of these cells."""
    rows = [{"cell_type": "code", "source": cell.splitlines(keepends=True)} for cell in cells]
    code = notebook_code(json.dumps({"cells": rows, "metadata": metadata}).encode())
    return [one.line for one in references(ast.parse(code), NAMES)]


@pytest.mark.parametrize(
    "cell",
    [
        "%%bash\npython -m gateway",
        "%%sh\n\ncd x && python3 -m gateway.text",
        "%%writefile x.py\nimport gateway",
        "%%time\nimport gateway",
        "files = !python -m gateway\nfiles",
        "!python \\\n  -m gateway",
        "if 1:\n    !python -m gateway",
        "%time import gateway",
        "%run -m gateway",
        "x = (\nimport gateway",
        "gateway?\nimport gateway",
    ],
)
def test_what_a_cell_runs_is_found(cell: str) -> None:
    assert len(found(cell)) == 1
    assert len(found("x = 1\ny = 2", cell)) == 1


@pytest.mark.parametrize(
    "cell",
    [
        "%%html\n<b>gateway</b>",
        "%%bash\necho gateway",
        "files = !ls gateway\nprint(files)",
        "x = %time 'gateway'",
        "a, b = !ls gateway",
        "gateway?",
        "?gateway",
        "%%javascript\nvar gateway = {};",
        "if 1:\n    !echo gateway",
        "a = b % gateway\nc = a != b",
        "await x('gateway')",
        "",
    ],
)
def test_a_command_that_only_names_the_package_is_none(cell: str) -> None:
    assert found(cell, "import gateway") == [len(cell.splitlines()) + 1]


def test_a_cell_after_one_in_another_language_is_read_in_its_line() -> None:
    assert found("%%bash\nif [ -f x ]; then\n  ls\nfi", "import gateway") == [5]


def test_a_notebook_of_another_language_is_none_of_python() -> None:
    assert found("import gateway", kernelspec={"language": "R"}) == []
    assert found("import gateway", language_info={"name": "python"}) == [1]


def test_a_notebook_of_the_third_format_is_read() -> None:
    sheet = {"cells": [{"cell_type": "code", "input": ["import gateway"], "language": "python"}]}
    assert notebook_code(json.dumps({"worksheets": [sheet], "nbformat": 3}).encode()) == b"import gateway"


def test_a_script_keeps_its_lines() -> None:
    assert script_code("x = 1\n!ls\nimport gateway") == b"x = 1\nget_ipython().system('ls')\nimport gateway"
