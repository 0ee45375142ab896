"""Something else than a file in the place of the lock, the declaration or the record: said, never waited for."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.repositories import Fork, Upstream, make_fork
from tools.mirrorkeeper.cli import main
from tools.mirrorkeeper.mirror.diagnosis.doctor import doctor
from tools.mirrorkeeper.mirror.source.bundle_folder import file_hash
from tools.mirrorkeeper.mirror.verify.verify import VerifyOptions, verify

pytestmark = [pytest.mark.slow, pytest.mark.timeout(60)]


def listening(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as one:
        os.chdir(path.parent)
        one.bind(path.name)


PLANTED: dict[str, Callable[[Path], None]] = {"pipe": os.mkfifo, "folder": Path.mkdir, "socket": listening}


@pytest.mark.parametrize("kind", PLANTED)
@pytest.mark.parametrize("name", ["upstream.lock", "upstream.toml"])
def test_what_is_no_file_is_never_opened(
    fork: Fork, name: str, kind: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(fork.root)
    place = fork.root / "mirror" / name
    place.unlink()
    PLANTED[kind](place)

    for command in (["gates"], ["mirror", "verify"], ["mirror", "sync"], ["mirror", "status"]):
        status = main(["-C", str(fork.root), *command])
        out = capsys.readouterr()
        assert f"mirror/{name} cannot be read: it is a {kind}, not a file" in out.out + out.err
        assert status == (0 if command[1:] == ["status"] and name == "upstream.lock" else 2)


def test_a_pipe_as_record_of_the_bundles_or_as_a_mirrored_file_is_never_opened(
    fork: Fork, upstream: Upstream, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (fork.mirror / "README.md").unlink()
    os.mkfifo(fork.mirror / "README.md")
    doctor(fork.project)
    assert "file became pipe, socket or device" in verify(fork.project, VerifyOptions()).findings[0].message

    bundled = bundles(tmp_path, upstream)
    record = bundled.root / "mirror/bundles/SHA256SUMS"
    record.unlink()
    os.mkfifo(record)
    assert main(["-C", str(bundled.root), "mirror", "verify"]) == 2
    assert "SHA256SUMS cannot be read: it is a pipe, not a file" in capsys.readouterr().err


def bundles(folder: Path, upstream: Upstream) -> Fork:
    made = make_fork(folder / "bundled", "mirror/bundles")
    place = made.root / "mirror/bundles"
    place.mkdir()
    upstream.git.run("bundle", "create", "--quiet", str(place / "v1.0.0.bundle"), "main", "v1.0.0")
    line = f"{file_hash(place / 'v1.0.0.bundle')}  v1.0.0.bundle\n"
    (place / "SHA256SUMS").write_text(line, encoding="utf-8")
    made.sync("v1.0.0")
    made.commit()
    return made


def test_a_lock_without_its_bundles_is_an_error_that_a_synchronization_mends(
    tmp_path: Path, upstream: Upstream
) -> None:
    fork = bundles(tmp_path, upstream)
    text = fork.project.lock_path.read_text("utf-8")
    kept = [line for line in text.splitlines(keepends=True) if not line.startswith("bundles = ")]
    fork.project.lock_path.write_text("".join(kept), encoding="utf-8")

    assert fork.codes() == ["PIN013"]
    fork.sync()
    assert fork.project.lock_path.read_text("utf-8") == text
    assert fork.codes(prove=True) == []


def test_a_lock_that_is_a_link_is_found_and_a_synchronization_mends_it(fork: Fork) -> None:
    fork.project.lock_path.rename(fork.root / "elsewhere.lock")
    fork.project.lock_path.symlink_to("../elsewhere.lock")

    found = [(one.code, one.message) for one in verify(fork.project, VerifyOptions()).findings]
    assert ("PIN001", "is a symbolic link where a file has to be") in found
    fork.sync()
    assert not fork.project.lock_path.is_symlink()


def test_a_pin_outside_the_track_is_a_note(fork: Fork) -> None:
    place = fork.project.declaration_path
    place.write_text(place.read_text("utf-8").replace('"v*"', '"release-*"'), encoding="utf-8")

    report = verify(fork.project, VerifyOptions())
    assert [one.code for one in report.findings if one.code != "MIR011"] == ["PIN017"]
    assert report.status == 0
    fork.project.git.run("update-index", "-q", "--really-refresh")
    fork.sync()
    assert fork.said == ["the mirror is at v1.0.0 already, tree " + fork.said[-1][-12:]]


def test_a_damaged_lock_is_told_once_with_the_command_that_brings_it_back(
    fork: Fork, capsys: pytest.CaptureFixture[str]
) -> None:
    fork.project.lock_path.write_bytes(b"")

    assert main(["-C", str(fork.root), "gates"]) == 2
    said = capsys.readouterr().out
    assert said.count("`schema` is missing") == 1
    assert "could not check: mirror, origin, patches: " in said
    assert "git checkout HEAD -- mirror/upstream.lock" in said
