"""Commands that the import audit takes for a use of the mirrored package."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.mirrorkeeper.boundary.auditing.guarded_code import GuardedCode
from tools.mirrorkeeper.boundary.package_names import PackageNames


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (("python", "{mirror}/app.py"), "app.py"),
        (("/usr/bin/python3.12", "-X", "{mirror}/pkg"), "pkg"),
        (("python", "{mirror}/pkg/"), "pkg"),
        (("python", "{mirror}/other"), ""),
        (("python", "-m", "ruff", "{mirror}/pkg"), ""),
        (("ruff", "check", "{mirror}/pkg"), ""),
        (("git", "add", "--", "{mirror}/app.py"), ""),
        (("/usr/bin/git", "show", "HEAD:./x", "{mirror}/app.py"), ""),
        (("git", "-c", "alias.x=!python -m gateway", "x"), "-m gateway"),
        (("python", "-m", "gateway.cli"), "-m gateway"),
        (("python", "elsewhere.py"), ""),
        (("git", "commit", "-m", "gateway"), ""),
        (("mkdir", "-p", "gateway"), ""),
    ],
)
def test_a_command_that_names_a_mirrored_file_to_git_runs_nothing(
    tmp_path: Path, words: tuple[str, ...], found: str
) -> None:
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg/__main__.py").touch()
    code = GuardedCode(tmp_path, PackageNames("gateway"))

    started = code.started_by([word.format(mirror=tmp_path) for word in words])

    assert started.startswith(found) if found else started == ""
