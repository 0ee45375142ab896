from pathlib import Path

import pytest
from click.testing import CliRunner
from pydantic_core import _pydantic_core

from extension.cli.plugin import status as show_status
from extension.plugin.install import library as native
from extension.plugin.install.library import (
    MANIFEST,
    NoNativePart,
    architecture,
    file_name,
    library_fault,
    library_version,
    native_library,
    system,
)
from tests.extension.plugin.built_library import MACHINES, library

NAMES = {number: name for name, number in MACHINES.items()}
PLATFORM = f"{system()}/{architecture()}"
MIPS = 8
OTHER = sum(MACHINES.values()) - MACHINES[architecture()]
OLDER = MANIFEST.read_bytes().rstrip()[:-1]
MACH_O = b"\xcf\xfa\xed\xfe\x0c\x00\x00\x01"


def fault(folder: Path, content: bytes, version: str | None = None) -> str:
    path = folder / "poolkeeper-v1.so"
    path.write_bytes(content)
    return library_fault(path, version or library_version())


def test_the_library_of_the_version_is_in_order(tmp_path: Path) -> None:
    assert fault(tmp_path, library()) == ""


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "It is empty."),
        (b"no library\n", "It is no library."),
        (library()[:-1], "It is cut off."),
        (library()[:40], "It is cut off."),
        (library(machine=MIPS), f"It is a library for {system()}/another processor, not for {PLATFORM}."),
        (library(machine=OTHER), f"It is a library for {system()}/{NAMES[OTHER]}, not for {PLATFORM}."),
        (MACH_O + library()[8:], f"It is a library for darwin/arm64, not for {PLATFORM}."),
        (library(manifest=b"something else"), "It is another library."),
    ],
)
def test_another_file_is_named_for_what_it_is(tmp_path: Path, content: bytes, sentence: str) -> None:
    assert fault(tmp_path, content) == sentence


def test_the_library_of_another_version_is_named_by_it(tmp_path: Path) -> None:
    assert fault(tmp_path, library(), "9.9.9") == f"It is the library of Poolkeeper {library_version()}."


def test_a_file_that_cannot_be_read_says_why(tmp_path: Path) -> None:
    assert library_fault(tmp_path, "1") == "It cannot be read: Is a directory."


def test_a_library_of_python_is_whole_and_another_one(tmp_path: Path) -> None:
    assert fault(tmp_path, Path(_pydantic_core.__file__).read_bytes()) == "It is another library."


@pytest.mark.parametrize(
    ("content", "status", "sentence"),
    [
        (library(), 0, "The plugin is installed and enabled."),
        (library(machine=OTHER), 1, f"It is a library for {system()}/{NAMES[OTHER]}, not for {PLATFORM}. Replace it"),
        (library(sections=4), 1, "It differs from the library of this installation. Replace it with"),
        (library(manifest=OLDER), 1, "It was built from another manifest. Replace it with"),
        (b"text", 1, f"is not the library of Poolkeeper {library_version()}. It is no library. Replace it with"),
    ],
)
def test_the_command_names_a_file_that_is_not_the_library(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes, status: int, sentence: str
) -> None:
    own = tmp_path / "own"
    own.write_bytes(library())
    monkeypatch.setattr(native, "native_library", lambda: own)
    enabled = "plugins:\n  enabled: true\n  configs:\n    poolkeeper:\n      enabled: true\n"
    (tmp_path / "config.yaml").write_text(enabled, encoding="utf-8")
    path = tmp_path / "plugins" / system() / architecture() / file_name()
    path.parent.mkdir(parents=True)
    path.write_bytes(content)

    result = CliRunner().invoke(show_status, ["--gateway-dir", str(tmp_path)])

    assert (result.exit_code, sentence in result.output) == (status, True), result.output


def test_a_built_library_that_is_cut_off_is_not_installed(tmp_path: Path) -> None:
    built = tmp_path / f"poolkeeper-{system()}-{architecture()}.so"
    built.write_bytes(library()[:-1])

    with pytest.raises(NoNativePart, match=r"It is cut off\. Install the wheel again"):
        native_library(tmp_path)
