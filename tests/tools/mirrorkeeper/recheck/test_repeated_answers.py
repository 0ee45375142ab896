"""The program beside the command, in a project that is changed in every way of the table of mutations."""

from __future__ import annotations

import compileall
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
from tests.tools.mirrorkeeper.recheck.at_rest import wait_until_at_rest
from tests.tools.mirrorkeeper.recheck.changes import CHANGES, MUTATED, Change
from tests.tools.mirrorkeeper.repositories import WHO

pytestmark = [pytest.mark.slow, pytest.mark.timeout(240)]

PROGRAM = "mirrorkeeper-verify"
REPEATED = "nothing has changed since the check of "
_COMMAND = """#!{python}
import sys
from pathlib import Path
sys.path.insert(0, str(Path(__file__).parents[1] / "lib"))
from mirrorkeeper.__main__ import run
raise SystemExit(run())
"""
BESIDE = Change("commands of git and of a shell", "touch .git/index.lock ../home/x && rm .git/index.lock ../home/x")
ELSEWHERE = Change("a file beside the mirror", "echo x > more.txt && mkdir -p ours/more && echo x > ours/more/x")
SOME = (*MUTATED[::12], *CHANGES)
OTHERS = tuple(one for one in MUTATED if one not in SOME)


class Answer(NamedTuple):
    """Exit status and both outputs of a call."""

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
        programs: folder of the two programs, unless the project has its own beside it.
        kind: the change.
    """

    root: Path
    programs: Path
    kind: Change

    @property
    def environment(self) -> dict[str, str]:
        """An environment with a home, a cache and a folder for programs of its own."""
        kept = {name: value for name, value in os.environ.items() if name not in ("GITHUB_ACTIONS", "XDG_CONFIG_HOME")}
        home, cache, tools = (str(self.root.with_name(name)) for name in ("home", "cache", "tools"))
        return {**kept, **WHO, "HOME": home, "MIRROR_CACHE": cache, "PATH": f"{tools}{os.pathsep}{kept['PATH']}"}

    def run(self, command: str) -> None:
        """Run a shell command in the project."""
        words = ["sh", "-ec", command]
        done = subprocess.run(words, cwd=self.root, env=self.environment, check=False, capture_output=True)
        assert done.returncode == 0, done.stderr

    def repeat(self, *options: str) -> Answer:
        """Call the program."""
        return self._called(PROGRAM, *self._folder, *options)

    def check(self, *options: str) -> Answer:
        """Call the command."""
        return self._called("mirrorkeeper", *self._folder, "mirror", "verify", *options)

    @property
    def _folder(self) -> tuple[str, ...]:
        return ("-C", self.kind.folder) if self.kind.folder else ()

    def _called(self, name: str, *words: str) -> Answer:
        own = self.root.with_name("bin")
        command = [str((own if own.exists() else self.programs) / name), *words]
        done = subprocess.run(command, cwd=self.root, env=self.environment, capture_output=True, text=True, check=False)
        return Answer(done.returncode, done.stdout, done.stderr)


def install(program: Path, folder: Path) -> Path:
    """Lay out the package of the wheel, compiled, beside the programs; return the folder of these."""
    package = folder / "lib/mirrorkeeper"
    shutil.copytree(ROOT / "tools/mirrorkeeper", package, ignore=shutil.ignore_patterns("__pycache__", "recheck"))
    assert compileall.compile_dir(package, quiet=1)
    programs = folder / "bin"
    programs.mkdir()
    shutil.copy(program, programs / PROGRAM)
    (programs / "mirrorkeeper").write_text(_COMMAND.format(python=sys.executable), encoding="utf-8")
    (programs / "mirrorkeeper").chmod(0o755)
    return programs


def prepare(program: Path, folder: Path, changes: Sequence[Change]) -> Mapping[str, Changed]:
    """Make a project for each change, by its name; all of them are at rest."""
    programs = install(program, folder)
    original = make_project(folder / "made")
    found = {}
    for at, kind in enumerate(changes):
        fork = copied_project(original, folder / str(at) / "fork")
        for name in ("home", "cache"):
            fork.root.with_name(name).mkdir()
        fork.project.git.run("update-index", "-q", "--refresh")
        found[kind.name] = Changed(fork.root, programs, kind)
        found[kind.name].run(kind.before)
    wait_until_at_rest(folder)
    return found


@pytest.fixture(scope="module")
def prepared(program: Path, tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Changed]:
    return prepare(program, tmp_path_factory.mktemp("prepared"), (*SOME, BESIDE, ELSEWHERE))


@pytest.fixture(scope="module")
def others_prepared(program: Path, tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Changed]:
    return prepare(program, tmp_path_factory.mktemp("others"), OTHERS)


def keep(project: Changed) -> None:
    """Have the answers kept, and see that they are repeated, unless nothing could tell of the change."""
    for options in project.kind.options:
        first, second = project.repeat(*options), project.repeat(*options)
        assert (first.status, first.repeated) == (0, False), first
        assert second == (0, first.printed, second.said)
        assert second.repeated == project.kind.is_kept


def compare_with_the_command(project: Changed) -> None:
    """Compare each answer that is repeated with what the command says now; any other is the command's own."""
    for options in project.kind.options:
        answer = project.repeat(*options)
        if answer.repeated:
            assert answer[:2] == project.check(*options)[:2]


@pytest.mark.parametrize("kind", SOME, ids=lambda one: one.name)
def test_an_answer_is_repeated_until_a_change_and_never_against_the_command(
    prepared: Mapping[str, Changed], kind: Change
) -> None:
    project = prepared[kind.name]
    keep(project)

    project.run(kind.command)

    compare_with_the_command(project)


@pytest.mark.soak
@pytest.mark.parametrize("kind", OTHERS, ids=lambda one: one.name)
def test_every_other_change_is_seen(others_prepared: Mapping[str, Changed], kind: Change) -> None:
    project = others_prepared[kind.name]
    keep(project)

    project.run(kind.command)

    compare_with_the_command(project)


def test_what_is_not_looked_at_does_not_end_an_answer(prepared: Mapping[str, Changed]) -> None:
    project = prepared[ELSEWHERE.name]
    keep(project)

    project.run(ELSEWHERE.command)

    assert project.repeat().repeated


def test_commands_beside_the_check_do_not_keep_an_answer_from_being_kept(prepared: Mapping[str, Changed]) -> None:
    project = prepared[BESIDE.name]
    project.run(BESIDE.command)

    keep(project)
