"""Releases that undo a part of a patch without a conflict."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.patch.at_work import go_on, work
from tests.tools.mirrorkeeper.repositories import Fork, Upstream, contents
from tests.tools.mirrorkeeper.series.test_series import diff, patched_fork
from tools.mirrorkeeper.cli import main
from tools.mirrorkeeper.patch.check import check_patches
from tools.mirrorkeeper.patch.forward import look_forward

pytestmark = pytest.mark.slow

FILLER = b"".join(b"filler_statement(%d)\n" % number for number in range(12))
OLD = b"answer = ask_the_provider(key)\n"
OURS = b"answer = ask_our_own_provider(key)\n"
ADDED = b"record_the_answer_of(provider)\n"
CODE = b"def first():\n" + OLD + FILLER + b"def second():\nreturn_the_answer()\n" + FILLER


@pytest.fixture
def upstream(upstream: Upstream) -> Upstream:
    upstream.commit({"code.py": CODE}, tag="v1.1.5")
    return upstream


@pytest.fixture
def fork(tmp_path: Path, upstream: Upstream) -> Fork:
    """A project with a patch that replaces a line of one function and adds one to another."""
    changed = CODE.replace(OLD, OURS).replace(b"return_the_answer()\n", ADDED + b"return_the_answer()\n")
    made = patched_fork(tmp_path / "fork", upstream, diff(upstream, {"code.py": changed}))
    made.sync("v1.1.5")
    made.commit()
    return made


def sync(fork: Fork) -> int:
    return main(["-C", str(fork.root), "mirror", "sync", "v1.2.0", "--refresh"])


UNDOING = {
    "a copy of the old code": (CODE + b"def third():\n" + OLD, "holds lines that the patch removes at another place"),
    "the code moved, a stale copy stays": (
        CODE.replace(b"def second", b"def first_again():\n" + OLD + b"def second"),
        "holds lines that the patch removes at another place",
    ),
    "a part of the patch, at the same place": (
        b"# new\n" + CODE.replace(b"return_the_answer()\n", ADDED + b"return_the_answer()\n"),
        "the release holds lines of the patch already",
    ),
    "a part of the patch, at another place": (CODE + ADDED, "stand in more places than before"),
}
HARMLESS = {
    "the code moved further down": b"import os\n" * 3 + CODE,
    "the file grew at its end": CODE + b"def fourth():\nsomething_else_entirely()\n",
    "a short line came twice": CODE + b"pass\npass\n",
    "lines beside the patch changed": CODE.replace(b"filler_statement(3)\n", b"changed_statement(3)\n"),
}


@pytest.mark.parametrize("case", UNDOING)
def test_a_release_that_undoes_a_part_pauses_and_changes_nothing(
    fork: Fork, upstream: Upstream, case: str, capsys: pytest.CaptureFixture[str]
) -> None:
    content, text = UNDOING[case]
    upstream.commit({"code.py": content}, tag="v1.2.0")
    before = contents(fork.root / "patches"), contents(fork.mirror)

    (ahead,) = {(one.code, one.shown_path, one.message) for one in look_forward(fork.project).findings}
    assert ahead[:2] == ("PAT009", "patches/p0.patch")
    assert ahead[2].startswith("needs a person for v1.2.0: PAT007 mirror/gateway/code.py: ")
    assert sync(fork) == 3
    assert (contents(fork.root / "patches"), contents(fork.mirror)) == before
    said = capsys.readouterr().err
    assert "mirror/gateway/code.py: PAT007 p0.patch: " in said
    assert text in said


@pytest.mark.parametrize("case", HARMLESS)
def test_a_release_that_keeps_the_patch_is_no_finding(fork: Fork, upstream: Upstream, case: str) -> None:
    upstream.commit({"code.py": HARMLESS[case]}, tag="v1.2.0")

    assert look_forward(fork.project).findings == ()
    assert sync(fork) == 0
    assert OURS in (fork.mirror / "code.py").read_bytes()
    assert check_patches(fork.project).findings == ()


def test_a_person_accepts_the_parts_by_refreshing(fork: Fork, upstream: Upstream) -> None:
    upstream.commit({"code.py": CODE + b"def third():\n" + OLD}, tag="v1.2.0")
    assert sync(fork) == 3

    assert [one.code for one in work(fork).check().findings] == ["PAT007", "PAT003"]
    work(fork).refresh()
    assert any("PAT007" in line for line in fork.said)
    go_on(fork)
    notes = check_patches(fork.project)
    assert [(one.code, one.details) for one in notes.findings] == [("PAT008", (OLD.decode().strip(),))]
    assert notes.status == 0


def test_patches_that_extend_the_same_line_are_no_finding(tmp_path: Path, upstream: Upstream) -> None:
    lines = [OLD]
    patches = []
    for number in range(3):
        lines.append(lines[-1].rstrip() + b" + the_part_of_patch(%d)\n" % number)
        patches.append(diff(upstream, {"code.py": CODE.replace(OLD, lines[-1])}))
        upstream.commit({"code.py": CODE.replace(OLD, lines[-1])}, message="for the next patch")
    upstream.git.run("reset", "--quiet", "--hard", "v1.1.5")
    stacked = patched_fork(tmp_path / "stacked", upstream, *patches)
    stacked.sync("v1.1.5")
    stacked.commit()
    upstream.commit({"code.py": b"# a header\n" + CODE}, tag="v1.2.0")

    assert sync(stacked) == 0
    assert lines[-1] in (stacked.mirror / "code.py").read_bytes()


HANDLER = b"def handler(request):\n    check_rights(request)\n    value = compute(request)\n    return value\n"
MOVES = {
    "the old body stays as a dead copy": (
        b"def handler(request):\n    check_anew(request)\n    return render(request)\n\n\n"
        + HANDLER.replace(b"def handler", b"def legacy_handler"),
        "stood in handler and land in legacy_handler",
    ),
    "the function becomes a method": (
        b"class Old:\n    pass\n\n\n" + HANDLER.replace(b"def handler", b"async def old_handler"),
        "stood in handler and land in old_handler",
    ),
}


@pytest.mark.parametrize("case", MOVES)
def test_a_part_that_lands_in_a_function_of_another_name_needs_a_person(
    tmp_path: Path, upstream: Upstream, case: str, capsys: pytest.CaptureFixture[str]
) -> None:
    upstream.commit({"m.py": HANDLER}, tag="v1.1.6")
    patch = diff(upstream, {"m.py": HANDLER.replace(b"    value", b"    audit(request)\n    value")})
    fork = patched_fork(tmp_path / "handled", upstream, patch)
    fork.sync("v1.1.6")
    fork.commit()
    content, text = MOVES[case]
    upstream.commit({"m.py": content}, tag="v1.2.0")
    before = contents(fork.root / "patches"), contents(fork.mirror)

    (ahead,) = look_forward(fork.project).findings
    assert ahead.message.startswith("needs a person for v1.2.0: PAT010 mirror/gateway/m.py: ")
    assert sync(fork) == 3
    assert (contents(fork.root / "patches"), contents(fork.mirror)) == before
    said = capsys.readouterr().err
    assert "mirror/gateway/m.py: PAT010 p0.patch: " in said
    assert text in said
    assert "lands in another function" in said
    work(fork).refresh()
    assert any("PAT010" in line for line in fork.said)
    go_on(fork)
    assert fork.codes(prove=True) == []


def test_a_function_that_only_moves_or_has_other_parameters_is_no_finding(tmp_path: Path, upstream: Upstream) -> None:
    upstream.commit({"m.py": HANDLER}, tag="v1.1.6")
    patch = diff(upstream, {"m.py": HANDLER.replace(b"    value", b"    audit(request)\n    value")})
    fork = patched_fork(tmp_path / "handled", upstream, patch)
    fork.sync("v1.1.6")
    fork.commit()
    before = b"import os\n\n\ndef other():\n    return os.name\n\n\n"
    changed = HANDLER.replace(b"def handler(request):", b"def handler(request, *, strict=True):")
    upstream.commit({"m.py": before + changed}, tag="v1.2.0")

    assert sync(fork) == 0


@pytest.mark.parametrize("line", [b"", b"def third():\n" + OLD], ids=["gone", "moved"])
def test_a_line_that_the_upstream_only_moves_is_no_change_it_has_already(
    tmp_path: Path, upstream: Upstream, line: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    fork = patched_fork(tmp_path / "removing", upstream, diff(upstream, {"code.py": CODE.replace(OLD, b"")}))
    fork.sync("v1.1.5")
    fork.commit()
    upstream.commit({"code.py": CODE.replace(OLD, b"") + line}, tag="v1.2.0")

    assert sync(fork) == 3
    said = capsys.readouterr().err
    assert ("patch drop p0" in said) is not bool(line)
    assert ("the upstream moved lines that it removes: answer = ask_the_provider(key)" in said) is bool(line)
    assert ("already" in said) is not bool(line)


TOML = b"[server]\nfirst_setting = 1\nsecond_setting = 2\nthird_setting = 3\n"


def test_a_setting_that_lands_in_another_section_needs_a_person(
    tmp_path: Path, upstream: Upstream, capsys: pytest.CaptureFixture[str]
) -> None:
    upstream.commit({"m.toml": TOML}, tag="v1.1.6")
    patch = diff(upstream, {"m.toml": TOML.replace(b"third", b"setting_of_the_fork = 4\nthird")})
    fork = patched_fork(tmp_path / "set", upstream, patch)
    fork.sync("v1.1.6")
    fork.commit()
    moved = b"[server]\nengine = 1\n\n" + TOML.replace(b"server", b"legacy")
    upstream.commit({"m.toml": moved}, tag="v1.2.0")

    assert sync(fork) == 3
    assert "stood in server and land in legacy" in capsys.readouterr().err
