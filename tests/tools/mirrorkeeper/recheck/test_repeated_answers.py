"""The program beside the command, in a project that is changed in every way of the table of mutations."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.repository.tracked import ROOT
from tests.tools.mirrorkeeper.mutated_project import copied_project, make_project
from tests.tools.mirrorkeeper.mutations import MUTATIONS, Mutation
from tests.tools.mirrorkeeper.recheck.at_rest import wait_until_at_rest
from tests.tools.mirrorkeeper.recheck.changes import CHANGES
from tests.tools.mirrorkeeper.repositories import WHO

pytestmark = [pytest.mark.slow, pytest.mark.timeout(240)]

PROGRAM = "mirrorkeeper-verify"
OPTIONS = ((), ("--prove",))
REPEATED = "nothing has changed since the check of "
_COMMAND = """#!{python}
import sys
sys.path.insert(0, {root!r})
from tools.mirrorkeeper.__main__ import run
raise SystemExit(run())
"""
ELSEWHERE = Mutation("a file beside the mirror", "echo x > more.txt && mkdir -p ours/more && echo x > ours/more/x", "")
SOME = (*MUTATIONS[::12], *CHANGES)
OTHERS = tuple(one for one in MUTATIONS if one not in SOME)


class Answer(NamedTuple):
    """What a call said."""

    status: int
    printed: str
    said: str

    @property
    def repeated(self) -> bool:
        """Return whether the answer is that of an earlier check."""
        return self.said.startswith(REPEATED)


class Changed(NamedTuple):
    """A project that is changed in one way, and the programs it is checked with.

    Attributes:
        root: the project's folder.
        programs: folder of the two programs.
        mutation: the change.
    """

    root: Path
    programs: Path
    mutation: Mutation

    @property
    def environment(self) -> dict[str, str]:
        """An environment with a home and a cache of its own."""
        kept = {name: value for name, value in os.environ.items() if name not in ("GITHUB_ACTIONS", "XDG_CONFIG_HOME")}
        home, cache = (str(self.root.with_name(name)) for name in ("home", "cache"))
        return {**kept, **WHO, "HOME": home, "MIRROR_CACHE": cache}

    def change(self) -> None:
        """Make the change."""
        command = ["sh", "-ec", self.mutation.command]
        subprocess.run(command, cwd=self.root, env=self.environment, check=True, capture_output=True)

    def ask(self, *words: str) -> Answer:
        """Call the program or, by its name and words, the command."""
        program, *more = words
        command = [str(self.programs / program), *more]
        done = subprocess.run(command, cwd=self.root, env=self.environment, capture_output=True, text=True, check=False)
        return Answer(done.returncode, done.stdout, done.stderr)


def prepare(program: Path, folder: Path, mutations: Sequence[Mutation]) -> Mapping[str, Changed]:
    """Make a project for each mutation, by its name; all of them are at rest."""
    programs = folder / "bin"
    programs.mkdir()
    shutil.copy(program, programs / PROGRAM)
    (programs / "mirrorkeeper").write_text(_COMMAND.format(python=sys.executable, root=str(ROOT)), encoding="utf-8")
    (programs / "mirrorkeeper").chmod(0o755)
    original = make_project(folder / "made")
    found = {}
    for at, mutation in enumerate(mutations):
        fork = copied_project(original, folder / str(at) / "fork")
        for name in ("home", "cache"):
            fork.root.with_name(name).mkdir()
        fork.project.git.run("update-index", "-q", "--refresh")
        found[mutation.name] = Changed(fork.root, programs, mutation)
    wait_until_at_rest(folder)
    return found


@pytest.fixture(scope="module")
def prepared(program: Path, tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Changed]:
    return prepare(program, tmp_path_factory.mktemp("prepared"), (*SOME, ELSEWHERE))


@pytest.fixture(scope="module")
def others_prepared(program: Path, tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Changed]:
    return prepare(program, tmp_path_factory.mktemp("others"), OTHERS)


def keep(project: Changed) -> None:
    """Have the answers kept, and see that they are repeated."""
    for option in OPTIONS:
        first, second = project.ask(PROGRAM, *option), project.ask(PROGRAM, *option)
        assert (first.status, first.repeated) == (0, False), first
        assert second == (0, first.printed, second.said)
        assert second.repeated


def compare_with_the_command(project: Changed) -> None:
    """Compare each answer that is repeated with what the command says now; any other is the command's own."""
    for option in OPTIONS:
        answer = project.ask(PROGRAM, *option)
        if answer.repeated:
            again = project.ask("mirrorkeeper", "mirror", "verify", *option)
            assert answer[:2] == again[:2]


@pytest.mark.parametrize("mutation", SOME, ids=lambda one: one.name)
def test_an_answer_is_repeated_until_a_change_and_never_against_the_command(
    prepared: Mapping[str, Changed], mutation: Mutation
) -> None:
    project = prepared[mutation.name]
    keep(project)

    project.change()

    compare_with_the_command(project)


@pytest.mark.soak
@pytest.mark.parametrize("mutation", OTHERS, ids=lambda one: one.name)
def test_every_other_change_is_seen(others_prepared: Mapping[str, Changed], mutation: Mutation) -> None:
    project = others_prepared[mutation.name]
    keep(project)

    project.change()

    compare_with_the_command(project)


def test_what_is_not_looked_at_does_not_end_an_answer(prepared: Mapping[str, Changed]) -> None:
    project = prepared[ELSEWHERE.name]
    project.ask(PROGRAM)
    project.change()

    assert project.ask(PROGRAM).repeated
