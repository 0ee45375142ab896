"""Only an interpreter's `-m` runs a module: that of another program has a meaning of its own."""

from __future__ import annotations

import ast

import pytest

from tools.mirrorkeeper.boundary.package_names import PackageNames
from tools.mirrorkeeper.boundary.references import references

NAMES = PackageNames("greeter", ("upstream.src",))
RUN = "import subprocess, sys\n"


def found(text: str) -> int:
    return len(list(references(ast.parse(text), NAMES, "ours", "ours.part")))


@pytest.mark.parametrize(
    "text",
    [
        RUN + "subprocess.run(['pytest', '-m', 'greeter'])",
        RUN + "subprocess.run(['tar', '-m', 'greeter'], check=True)",
        RUN + "subprocess.run(('pytest', '-q', '-m', 'greeter'))",
        "def tests(session): session.run('pytest', '-m', 'greeter')",
    ],
)
def test_a_word_of_another_program_runs_nothing(text: str) -> None:
    assert found(text) == 0


@pytest.mark.parametrize(
    "text",
    [
        RUN + "subprocess.run(['python', '-m', 'greeter'])",
        RUN + "subprocess.run(['nice', 'python3', '-m', 'greeter'])",
        RUN + "subprocess.run(['nice', sys.executable, '-m', 'greeter'])",
        RUN + "subprocess.run(['coverage', 'run', '-m', 'greeter'])",
        RUN + "subprocess.run(['./tool', '-m', 'greeter'])",
        RUN + "subprocess.run(['pytest', '-m', 'greeter'], executable=sys.executable)",
        RUN + "subprocess.run(['pytest', '-p', 'greeter'])",
        "import os, sys\nos.execv(sys.executable, ['pytest', '-m', 'greeter'])",
        "def tests(session): session.run('python', '-m', 'greeter')",
        "def tests(session): session.run('python', '-m', 'gree' + 'ter')",
        "start('pytest', '-m', 'greeter')",
        "words = [python, '-m', 'greeter']",
        "words = ['-m', 'greeter']",
    ],
)
def test_a_module_that_an_interpreter_runs_is_found(text: str) -> None:
    assert found(text)
