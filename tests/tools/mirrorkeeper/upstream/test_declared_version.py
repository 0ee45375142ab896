from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.repositories import Upstream
from tools.mirrorkeeper.errors import ToolError
from tools.mirrorkeeper.upstream.declared_version import check_declared_version


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("pyproject.toml", b'[project]\nname = "x"\nversion = "0.1.0"\n'),
        ("Cargo.toml", b'[package]\nname = "x"\nversion = "0.1.0"\n'),
        ("package.json", b'{"name": "x", "version": "0.1.0"}\n'),
    ],
)
def test_a_release_is_refused_when_the_project_names_itself_otherwise(
    tmp_path: Path, name: str, content: bytes
) -> None:
    work = Upstream(tmp_path / "work")
    work.commit({name: content})

    check_declared_version(work.git, "0.1.0")
    with pytest.raises(ToolError, match=rf"{name} says version 0\.1\.0, and the release would be 0\.2\.0"):
        check_declared_version(work.git, "0.2.0")


@pytest.mark.parametrize(
    "content",
    [
        b'[project]\nname = "x"\ndynamic = ["version"]\n',
        b"project = 3\n",
        b"[project]\nversion = 3\n",
        b"no toml at all",
        b"\xff\xfe",
    ],
)
def test_a_project_that_names_no_version_may_be_called_so(tmp_path: Path, content: bytes) -> None:
    work = Upstream(tmp_path / "work")
    work.commit({"pyproject.toml": content})

    check_declared_version(work.git, "0.2.0")
