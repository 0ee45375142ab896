"""Files for the plugin store, from a library that is as new as its sources."""

import json
import os
from pathlib import Path

import pytest

from tools.mirror.errors import ToolError
from tools.project.native.building import CRATE, PLACES
from tools.project.native.store_files import store_files

BUILT = 1_000_000_000


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project whose library was built after its sources were written."""
    metadata = {"Name": "Poolkeeper", "Version": "1.2.3", "Author": "A"}
    files = {
        CRATE / "manifest.json": json.dumps({"metadata": metadata}),
        CRATE / "src" / "relay" / "answers.rs": "",
        CRATE / "Cargo.toml": "",
        CRATE / "crates.lock": "",
        **dict.fromkeys(PLACES.values(), "library"),
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        os.utime(path, (BUILT, BUILT))
    return tmp_path


def test_a_library_as_new_as_its_sources_is_packed(project: Path) -> None:
    assert sorted(store_files(project, "http://store")) == [
        "checksums.txt",
        "poolkeeper_1.2.3_linux_amd64.zip",
        "poolkeeper_1.2.3_linux_arm64.zip",
        "registry.json",
    ]


def test_a_release_names_the_libraries_that_are_built(project: Path) -> None:
    (project / PLACES["aarch64"]).unlink()
    (entry,) = json.loads(store_files(project, "http://store")["registry.json"])["plugins"]
    assert [(artifact["goarch"], artifact["url"]) for artifact in entry["install"]["artifacts"]] == [
        ("amd64", "http://store/poolkeeper_1.2.3_linux_amd64.zip")
    ]


@pytest.mark.parametrize("source", ["src/relay/answers.rs", "Cargo.toml", "crates.lock", "manifest.json"])
def test_a_library_that_is_older_than_a_source_is_not_packed(project: Path, source: str) -> None:
    os.utime(project / CRATE / source, (BUILT + 1, BUILT + 1))
    with pytest.raises(ToolError, match=f"is older than .*{source}"):
        store_files(project, "http://store")


def test_without_a_library_nothing_is_packed(project: Path) -> None:
    for place in PLACES.values():
        (project / place).unlink()
    with pytest.raises(ToolError, match="There is no library"):
        store_files(project, "http://store")
