"""What a code or a path is explained with, as people type it."""

from __future__ import annotations

import os
import shlex
import subprocess
from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.repositories import Fork, Upstream
from tools.mirrorkeeper.cli import main
from tools.mirrorkeeper.mirror.diagnosis.explain import explain
from tools.mirrorkeeper.mirror.verify.verify import VerifyOptions, verify

pytestmark = pytest.mark.slow


def test_a_name_that_is_not_utf8_is_understood_as_it_is_shown_and_as_it_is(fork: Fork, upstream: Upstream) -> None:
    (upstream.folder / os.fsdecode(b"caf\xe9")).write_bytes(b"x")
    upstream.commit({}, tag="v1.1.0")
    fork.sync("v1.1.0")

    for typed in (r"mirror/gateway/caf\xe9", os.fsdecode(b"mirror/gateway/caf\xe9")):
        (line,) = explain(fork.project, typed)
        assert line.startswith(r"caf\xe9: mirrored from v1.1.0")


def test_the_way_to_a_patch_that_is_explained_can_be_pasted(fork: Fork, capsys: pytest.CaptureFixture[str]) -> None:
    advice = list(explain(fork.project, "MIR001"))[-1]
    words = shlex.split(advice.split("`")[1].replace("NAME", "ours"))
    assert words[:3] == ["python", "-m", "tools"]
    (fork.mirror / "README.md").write_bytes(b"mine\n")

    assert main(["-C", str(fork.root), *words[3:]]) == 0
    assert "written: ours.patch" in capsys.readouterr().err


def test_the_help_for_a_hidden_file_can_be_pasted_whatever_its_name(fork: Fork, upstream: Upstream) -> None:
    name = os.fsdecode(b"a b'\xe9")
    (upstream.folder / name).write_bytes(b"x")
    upstream.commit({}, tag="v1.1.0")
    fork.sync("v1.1.0")
    fork.commit()
    fork.project.git.run("update-index", "--assume-unchanged", f"mirror/gateway/{name}")
    (finding,) = verify(fork.project, VerifyOptions()).findings
    assert finding.code == "MIR013"

    subprocess.run(["bash", "-c", finding.fix], cwd=fork.root, check=True)

    assert fork.codes() == []


def test_a_patch_that_is_listed_and_nowhere_is_found_beside_the_changed_declaration(fork: Fork) -> None:
    with fork.project.declaration_path.open("a", encoding="utf-8") as file:
        file.write('[patches]\norder = ["gone.patch"]\n')

    assert ("PAT002", "patches/gone.patch") in fork.found()


def test_an_empty_release_is_no_release(fork: Fork, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["-C", str(fork.root), "mirror", "sync", ""]) == 2
    assert "an empty text names no release" in capsys.readouterr().err


def test_one_file_is_one_file(fork: Fork, upstream: Upstream) -> None:
    upstream.commit({"src/app.py": None, "run.sh": None}, tag="v1.1.0")
    fork.sync("v1.1.0")

    assert "(was v1.0.0): 1 file, tree " in fork.said[-1]


def test_without_a_declaration_codes_are_explained_and_the_first_step_is_named_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    here = ("-C", str(tmp_path), "mirror")
    assert main([*here, "explain", "MIR001"]) == 0
    assert main([*here, "explain", "XYZ001"]) == 2
    assert "nothing is known about 'XYZ001'" in capsys.readouterr().err
    assert main([*here, "status"]) == 2
    shown = capsys.readouterr()
    assert (shown.out + shown.err).count("is not there") == 1
    assert "python -m tools init --url URL" in shown.err
