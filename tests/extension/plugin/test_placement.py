from __future__ import annotations

import os
import stat
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
from click.testing import CliRunner

from extension.cli.plugin import install
from extension.plugin.install.gateway_folder import GatewayNotFound, gateway_folder
from extension.plugin.install.library import (
    NoNativePart,
    architecture,
    file_name,
    library_version,
    native_library,
    system,
)
from extension.plugin.install.placement import placed_key, placed_library, removed_libraries, rewritten_config
from tests.extension.plugin.built_library import library
from tests.extension.store.full_disk import room_for

OWN_PROGRAM = Path(sys.executable).with_name("poolkeeper")


def test_the_library_is_placed_once_and_whole(tmp_path: Path) -> None:
    source, folder = tmp_path / "source", tmp_path / "plugins" / "linux"
    source.write_bytes(b"library")

    assert placed_library(source, folder, "p.so")
    inode = (folder / "p.so").stat().st_ino
    assert not placed_library(source, folder, "p.so")

    source.write_bytes(b"newer")
    assert placed_library(source, folder, "p.so")
    assert (folder / "p.so").stat().st_ino != inode, "a mapped file must not be written over"
    assert [path.name for path in folder.iterdir()] == ["p.so"]


def test_a_link_in_place_of_the_library_becomes_a_file(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.write_bytes(b"library")
    (tmp_path / "p.so").symlink_to(source)

    assert placed_library(source, tmp_path, "p.so")
    assert not (tmp_path / "p.so").is_symlink()


def test_the_key_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "key"
    path.write_text("k\n")
    path.chmod(0o644)

    assert placed_key(path, "k")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert not placed_key(path, "k")


@pytest.mark.parametrize("owner", [os.geteuid(), 65_534])
def test_what_root_installs_belongs_to_the_owner_of_the_configuration(tmp_path: Path, owner: int) -> None:
    config, source = tmp_path / "config.yaml", tmp_path / "source"
    config.write_text("port: 1\n")
    source.write_bytes(b"library")
    owner = owner if os.geteuid() == 0 else os.geteuid()  # no other user can give a file away
    os.chown(config, owner, -1)
    folder = tmp_path / "plugins" / "linux"

    placed_key(tmp_path / "key", "k")
    placed_library(source, folder, "p.so")

    made = (tmp_path / "key", folder.parent, folder, folder / "p.so", config)
    assert {path.name: path.stat().st_uid for path in made} == {path.name: owner for path in made}


def test_the_configuration_keeps_its_inode_and_leaves_no_copy(tmp_path: Path) -> None:
    path = tmp_path / "config.yaml"
    path.write_text("a long text\n")
    inode = path.stat().st_ino

    assert rewritten_config(path, lambda _: "b\n")
    assert not rewritten_config(path, lambda text: text)

    assert (path.read_text(), path.stat().st_ino) == ("b\n", inode)
    assert [one.name for one in tmp_path.iterdir()] == ["config.yaml"]


def test_a_configuration_that_has_no_room_for_the_block_stays_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "config.yaml"
    text = "port: 1\n" + "# comment\n" * 1000
    path.write_text(text)
    with room_for(len(text)), pytest.raises(OSError, match="File too large"):
        rewritten_config(path, lambda text: text.replace("port: 1", "port: 1\nplugins: true"))
    assert path.read_text() == text


def test_only_our_own_libraries_are_removed(tmp_path: Path) -> None:
    for name in ("poolkeeper.so", "poolkeeper-v0.1.0.so", "poolkeeper-extra.so", "other.so"):
        (tmp_path / name).touch()

    assert {path.name for path in removed_libraries(tmp_path)} == {"poolkeeper.so", "poolkeeper-v0.1.0.so"}


@pytest.mark.parametrize(("text", "folder"), [("port: 1\n", "plugins"), ("plugins:\n  dir: mine\n", "mine")])
def test_plugins_lie_below_the_working_folder(tmp_path: Path, text: str, folder: str) -> None:
    (tmp_path / "etc").mkdir()
    config = tmp_path / "etc" / "c.yaml"
    config.write_text(text)

    place = gateway_folder(tmp_path, config)

    assert place.plugins == tmp_path / folder / system() / architecture()


@pytest.mark.parametrize("text", [None, "a: {", "\x00"])
def test_a_folder_without_a_readable_configuration_is_refused(tmp_path: Path, text: str | None) -> None:
    if text is not None:
        (tmp_path / "config.yaml").write_text(text)

    with pytest.raises(GatewayNotFound):
        gateway_folder(tmp_path, None)


def test_an_installation_without_a_library_says_which_wheel_to_take(tmp_path: Path) -> None:
    with pytest.raises(NoNativePart, match="manylinux2014"):
        native_library(tmp_path)


def test_a_library_of_another_version_is_not_installed(tmp_path: Path) -> None:
    built = tmp_path / f"poolkeeper-{system()}-{architecture()}.so"
    built.write_bytes(library())
    assert native_library(tmp_path) == built

    built.write_bytes(b'\x7fELF{"Version": "0.1.0"}')
    with pytest.raises(NoNativePart, match=f"not built for Poolkeeper {library_version()}"):
        native_library(tmp_path)


def test_the_library_has_the_name_a_gateway_sorts_by(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "freebsd14")

    assert system() == "freebsd"
    assert file_name() == f"poolkeeper-v{version('poolkeeper')}.so"


def test_an_installation_without_the_library_writes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def absent() -> Path:
        return native_library(tmp_path / "absent")

    monkeypatch.setattr("extension.cli.plugin.native_library", absent)
    (tmp_path / "config.yaml").write_text("port: 1\n", encoding="utf-8")

    result = CliRunner(env={"POOLKEEPER_MANAGEMENT_KEY": "k"}).invoke(
        install, ["--gateway-dir", str(tmp_path), "--program", str(OWN_PROGRAM)]
    )

    assert (result.exit_code, result.output.count("poolkeeper: ")) == (2, 1), result.output
    assert "manylinux2014" in result.output
    assert [path.name for path in tmp_path.iterdir()] == ["config.yaml"]
