"""Commands that look: outdated, explain, status, doctor."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.repositories import WHO, Fork, Upstream, make_fork
from tests.tools.mirrorkeeper.series.test_series import diff, patched_fork
from tools.mirrorkeeper.errors import ToolError
from tools.mirrorkeeper.mirror.diagnosis.doctor import doctor, version_findings
from tools.mirrorkeeper.mirror.diagnosis.explain import explain
from tools.mirrorkeeper.mirror.diagnosis.status import status_lines
from tools.mirrorkeeper.mirror.verify.releases.outdated import outdated

pytestmark = pytest.mark.slow

README = "mirror/gateway/README.md"


def codes_upstream(fork: Fork) -> list[str]:
    return [one.code for one in outdated(fork.project).findings]


def test_newer_releases_are_a_note_that_can_fail(fork: Fork, upstream: Upstream) -> None:
    assert codes_upstream(fork) == []
    for version in ("v1.10.0", "v1.9.0"):
        upstream.commit({"a": version.encode()}, tag=version)

    report = outdated(fork.project)
    assert [(one.code, one.details) for one in report.findings] == [("PIN006", ("v1.9.0", "v1.10.0"))]
    assert (report.status, outdated(fork.project, failing=True).status) == (0, 1)


def test_a_tag_that_moved_or_is_gone_upstream_is_told_and_the_mirror_stays_proven(
    fork: Fork, upstream: Upstream
) -> None:
    upstream.commit({"a": b"a"})
    upstream.git.run("tag", "--force", "v1.0.0")
    assert codes_upstream(fork) == ["PIN007"]
    upstream.git.run("tag", "--delete", "v1.0.0")
    assert codes_upstream(fork) == ["PIN009"]
    assert fork.codes(prove=True) == []


def test_a_history_rewritten_upstream_is_told_and_the_mirror_stays_proven(fork: Fork, upstream: Upstream) -> None:
    upstream.git.run("tag", "--delete", "v1.0.0")
    upstream.git.run("commit", "--quiet", "--amend", "--message=rewritten", environment=WHO)
    upstream.git.run("tag", "v1.1.0")
    assert codes_upstream(fork) == ["PIN006", "PIN008", "PIN009"]
    assert fork.codes(prove=True) == []

    fork.sync("v1.1.0")
    assert "note: v1.1.0 does not descend from v1.0.0: the upstream rewrote its history" in fork.said
    assert fork.codes(prove=True) == []


def test_offline_an_upstream_that_is_not_on_this_machine_is_refused(fork: Fork, upstream: Upstream) -> None:
    path = fork.project.declaration_path
    text = path.read_text(encoding="utf-8").replace("../upstream", "https://upstream.invalid/x.git")
    path.write_text(text, encoding="utf-8")

    with pytest.raises(ToolError, match="is not on this machine"):
        outdated(fork.project, offline=True)
    assert codes_elsewhere(fork, upstream) == []


def codes_elsewhere(fork: Fork, upstream: Upstream) -> list[str]:
    return [one.code for one in outdated(fork.project, str(upstream.folder), offline=True).findings]


def test_a_code_and_a_path_are_explained(tmp_path: Path, upstream: Upstream) -> None:
    patch = diff(upstream, {"README.md": b"ours\n"})
    fork = patched_fork(tmp_path / "fork", upstream, patch)
    fork.sync()
    (fork.mirror / "README.md").write_bytes(b"mine\n")

    assert next(explain(fork.project, "mir001")) == "MIR001 modified (fails the check)"
    lines = list(explain(fork.project, README))
    assert lines[0].startswith("README.md: mirrored from v1.0.0, mode 100644")
    assert "changed by patches/p0.patch (python -m tools patch show p0.patch)" in lines
    assert any(line.startswith("MIR001 modified") for line in lines)
    with pytest.raises(ToolError, match="nothing is known") as caught:
        list(explain(fork.project, "MIR999"))
    assert "did you mean MIR" in caught.value.advice


def test_an_excluded_path_is_explained_by_what_accounts_for_it(tmp_path: Path, upstream: Upstream) -> None:
    fork = make_fork(tmp_path / "fork", str(upstream.folder), exclude='["src"]')
    fork.sync()

    (line,) = explain(fork.project, "src/app.py")
    assert "mirror/upstream.toml leaves it out" in line


def test_the_status_is_one_screen_and_never_fails(fork: Fork, upstream: Upstream) -> None:
    upstream.commit({"a": b"a"}, tag="v1.1.0")
    (fork.mirror / "README.md").write_bytes(b"mine\n")
    lines = list(status_lines(fork.project))

    assert lines[1].startswith("pin: v1.0.0, commit ")
    assert lines[2] == "mirror: mirror/gateway: 1 modified (MIR001)"
    assert lines[-1] == "upstream now: pins v1.0.0; the upstream has a newer release, up to v1.1.0"
    shutil.rmtree(upstream.folder)
    assert list(status_lines(fork.project))[2] == lines[2]


def test_the_doctor_finds_what_could_mislead_git(fork: Fork) -> None:
    assert [one.code for one in doctor(fork.project).findings] == []
    (fork.root / ".gitattributes").write_bytes(b"* text=auto\n")
    fork.project.git.run("config", "core.fileMode", "false")
    (fork.root / "mirror/.gateway.sync").mkdir()

    found = [one.code for one in doctor(fork.project).findings]
    assert sorted(found) == ["ENV003", "ENV003", "ENV004", "ENV005", "ENV009"]
    assert [one.code for one in version_findings("git version 2.31.9")] == ["ENV001"]
    assert list(version_findings("git version 2.32.0")) == []
