from __future__ import annotations

import os
import stat
import sys
from contextlib import ExitStack
from importlib.metadata import version
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from extension.cli.plugin.install import install
from extension.cli.plugin.remove import remove
from extension.plugin.install.gateway_folder import GatewayNotFound, gateway_folder
from extension.plugin.install.native_library import (
    MANIFEST,
    NoNativePart,
    architecture,
    file_name,
    library_version,
    native_library,
    system,
)
from extension.plugin.install.placement import edited_config, placed_key, placed_library, removed_libraries

OWN_PROGRAM = Path(sys.executable).with_name("poolkeeper")


def test_the_library_is_placed_once_and_whole(tmp_path: Path) -> None:
    source, folder = tmp_path / "source", tmp_path / "plugins" / "linux"
    source.write_bytes(b"library")

    assert placed_library(source, folder, "p.so", ExitStack())
    inode = (folder / "p.so").stat().st_ino
    assert not placed_library(source, folder, "p.so", ExitStack())

    source.write_bytes(b"newer")
    assert placed_library(source, folder, "p.so", ExitStack())
    assert (folder / "p.so").stat().st_ino != inode, "a mapped file must not be written over"
    assert [path.name for path in folder.iterdir()] == ["p.so"]


def test_a_link_in_place_of_the_library_becomes_a_file(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.write_bytes(b"library")
    (tmp_path / "p.so").symlink_to(source)

    assert placed_library(source, tmp_path, "p.so", ExitStack())
    assert not (tmp_path / "p.so").is_symlink()


def test_the_key_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "key"
    path.write_text("k\n")
    path.chmod(0o644)

    assert placed_key(path, "k", ExitStack())
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert not placed_key(path, "k", ExitStack())


@pytest.mark.parametrize("owner", [os.geteuid(), 65_534])
def test_what_root_installs_belongs_to_the_owner_of_the_configuration(tmp_path: Path, owner: int) -> None:
    config, source = tmp_path / "config.yaml", tmp_path / "source"
    config.write_text("port: 1\n")
    source.write_bytes(b"library")
    owner = owner if os.geteuid() == 0 else os.geteuid()  # no other user can give a file away
    os.chown(config, owner, -1)
    folder = tmp_path / "plugins" / "linux"

    placed_key(tmp_path / "key", "k", ExitStack())
    placed_library(source, folder, "p.so", ExitStack())

    made = (tmp_path / "key", folder.parent, folder, folder / "p.so", config)
    assert {path.name: path.stat().st_uid for path in made} == {path.name: owner for path in made}


def test_the_configuration_keeps_its_inode_and_leaves_no_copy(tmp_path: Path) -> None:
    path = tmp_path / "config.yaml"
    path.write_text("a long text\n")
    inode = path.stat().st_ino

    assert edited_config(path, lambda _: "b\n", ExitStack())
    assert not edited_config(path, lambda text: text, ExitStack())

    assert (path.read_text(), path.stat().st_ino) == ("b\n", inode)
    assert [one.name for one in tmp_path.iterdir()] == ["config.yaml"]


def test_only_our_own_libraries_are_removed(tmp_path: Path) -> None:
    for name in ("poolkeeper.so", "poolkeeper-v0.1.0.so", "poolkeeper-extra.so", "other.so"):
        (tmp_path / name).touch()

    assert {path.name for path in removed_libraries(tmp_path, ExitStack())} == {"poolkeeper.so", "poolkeeper-v0.1.0.so"}


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
    built.write_bytes(b"\x7fELF" + MANIFEST.read_bytes())
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

    monkeypatch.setattr("extension.cli.plugin.install.native_library", absent)
    (tmp_path / "config.yaml").write_text("port: 1\n", encoding="utf-8")

    result = CliRunner(env={"POOLKEEPER_MANAGEMENT_KEY": "k"}).invoke(
        install, ["--gateway-dir", str(tmp_path), "--program", str(OWN_PROGRAM)]
    )

    assert (result.exit_code, result.output.count("poolkeeper: ")) == (2, 1), result.output
    assert "manylinux2014" in result.output
    assert [path.name for path in tmp_path.iterdir()] == ["config.yaml"]


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A built library that the command finds."""
    path = tmp_path / f"poolkeeper-{system()}-{architecture()}.so"
    path.write_bytes(b"\x7fELF" + MANIFEST.read_bytes())
    monkeypatch.setattr("extension.cli.plugin.install.native_library", lambda: path)
    return path


def installed(folder: Path) -> tuple[int, list[str]]:
    """Run the command for a gateway's folder; return status and lines."""
    arguments = ["--gateway-dir", str(folder), "--program", str(OWN_PROGRAM)]
    result = CliRunner(env={"POOLKEEPER_MANAGEMENT_KEY": "k"}).invoke(install, arguments)
    return result.exit_code, result.output.splitlines()


@pytest.fixture
def gateway(tmp_path: Path) -> Path:
    folder = tmp_path / "gateway"
    folder.mkdir()
    (folder / "config.yaml").write_text("port: 1\n", encoding="utf-8")
    return folder


@pytest.mark.usefixtures("built")
def test_a_library_that_the_gateway_would_prefer_is_named_and_nothing_is_written(gateway: Path) -> None:
    newer = gateway / "plugins" / system() / architecture() / "poolkeeper-v10.0.0.so"
    newer.parent.mkdir(parents=True)
    newer.touch()
    (newer.with_name("poolkeeper-v0.0.9.so")).touch()

    status, lines = installed(gateway)

    said = " ".join(line.strip() for line in lines)  # wrapped, by the length of the path
    assert (status, said.count("poolkeeper: ")) == (2, 1), lines
    assert str(newer) in said
    assert "poolkeeper plugin remove" in said
    assert not (newer.parent / file_name()).exists()
    assert (gateway / "config.yaml").read_text(encoding="utf-8") == "port: 1\n"


@pytest.mark.usefixtures("built")
def test_an_older_library_does_not_hinder_an_install(gateway: Path) -> None:
    older = gateway / "plugins" / system() / architecture() / "poolkeeper-v0.0.9.so"
    older.parent.mkdir(parents=True)
    older.touch()

    assert installed(gateway)[0] == 0


@pytest.mark.usefixtures("built")
def test_an_install_without_a_key_says_that_the_plugin_needs_one(gateway: Path) -> None:
    arguments = ["--gateway-dir", str(gateway), "--program", str(OWN_PROGRAM)]
    keyless = CliRunner(env={"POOLKEEPER_MANAGEMENT_KEY": ""}).invoke(install, arguments)

    assert (keyless.exit_code, "No management key was given" in keyless.output) == (0, True), keyless.output
    assert "No management key" not in "".join(installed(gateway)[1])
    again = CliRunner(env={"POOLKEEPER_MANAGEMENT_KEY": ""}).invoke(install, arguments)
    assert "No management key" not in again.output, "the configuration names the file by now"


def test_a_replaced_library_of_the_same_version_asks_for_a_restart(gateway: Path, built: Path) -> None:
    assert "Check: poolkeeper plugin status --server URL" in installed(gateway)[1][-1]
    assert installed(gateway)[1] == ["The plugin is installed already; nothing changed."]

    built.write_bytes(b"\x7fELF, built again" + MANIFEST.read_bytes())

    assert installed(gateway)[1][-1].startswith("Restart the gateway")


@pytest.mark.usefixtures("built")
def test_a_folder_that_cannot_be_written_is_named_and_the_configuration_stays(gateway: Path) -> None:
    (gateway / "plugins").write_text("a file, no folder", encoding="utf-8")

    status, lines = installed(gateway)

    assert (status, "cannot be written" in lines[-1]) == (2, True), lines
    assert (gateway / "config.yaml").read_text(encoding="utf-8") == "port: 1\n"


@pytest.mark.usefixtures("built")
def test_a_removal_leaves_nothing_of_the_installation_behind(gateway: Path) -> None:
    assert installed(gateway)[0] == 0
    key = gateway / "poolkeeper-management.key"
    assert key.stat().st_mode & 0o777 == 0o600

    removal = CliRunner().invoke(remove, ["--gateway-dir", str(gateway)])

    assert removal.exit_code == 0, removal.output
    assert [path.name for path in gateway.rglob("*") if path.is_file()] == ["config.yaml"]
    values = yaml.safe_load((gateway / "config.yaml").read_text(encoding="utf-8"))
    assert not values["plugins"]["configs"]
    again = CliRunner().invoke(remove, ["--gateway-dir", str(gateway)])
    assert "nothing changed" in again.output
