"""What the commands `install` and `remove` write into the folder of a gateway, and say."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from extension.cli.plugin import install, remove, status
from extension.plugin.install.library import architecture, file_name, system
from tests.extension.plugin.built_library import library

OWN_PROGRAM = Path(sys.executable).with_name("poolkeeper")


def installed(folder: Path) -> tuple[int, list[str]]:
    """Run the command for a gateway's folder; return status and lines."""
    arguments = ["--gateway-dir", str(folder), "--program", str(OWN_PROGRAM)]
    result = CliRunner(env={"POOLKEEPER_MANAGEMENT_KEY": "k", "COLUMNS": "1000"}).invoke(install, arguments)
    return result.exit_code, result.output.splitlines()


@pytest.mark.usefixtures("built")
def test_a_library_that_the_gateway_would_prefer_is_named_and_nothing_is_written(gateway: Path) -> None:
    newer = gateway / "plugins" / system() / architecture() / "poolkeeper-v10.0.0.so"
    newer.parent.mkdir(parents=True)
    newer.touch()
    (newer.with_name("poolkeeper-v0.0.9.so")).touch()

    status, lines = installed(gateway)

    output = " ".join(line.strip() for line in lines)  # wrapped, by the length of the path
    assert (status, output.count("poolkeeper: ")) == (2, 1), lines
    assert str(newer) in output
    assert "poolkeeper plugin remove" in output
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


@pytest.mark.usefixtures("built")
def test_the_named_check_can_be_typed_as_it_is_printed(gateway: Path) -> None:
    elsewhere = gateway.parent / "etc of it" / "gateway.yaml"
    elsewhere.parent.mkdir()
    (gateway / "config.yaml").rename(elsewhere)
    arguments = ["--gateway-dir", str(gateway), "--config", str(elsewhere), "--program", str(OWN_PROGRAM)]
    lines = CliRunner(env={"POOLKEEPER_MANAGEMENT_KEY": "k"}).invoke(install, arguments).output
    named = " ".join(lines.split()).rpartition("(or ")[2].rpartition(")")[0]

    assert CliRunner().invoke(status, shlex.split(named)).exit_code == 0, lines


def test_a_replaced_library_of_the_same_version_asks_for_a_restart(gateway: Path, built: Path) -> None:
    assert "Check: poolkeeper plugin status --server URL" in installed(gateway)[1][-1]
    assert installed(gateway)[1] == ["The plugin is installed already; nothing changed."]

    built.write_bytes(library(more=b"built again"))

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
    assert (gateway / "config.yaml").read_text(encoding="utf-8") == "port: 1\n"
    again = CliRunner().invoke(remove, ["--gateway-dir", str(gateway)])
    assert "nothing changed" in again.output


@pytest.mark.usefixtures("built")
def test_a_removal_asks_for_a_restart_only_when_it_removed_a_library(gateway: Path) -> None:
    installed(gateway)
    for path in (gateway / "plugins").rglob("*.so"):
        path.unlink()  # as a running gateway does, asked with --server

    lines = CliRunner().invoke(remove, ["--gateway-dir", str(gateway)]).output.splitlines()
    assert any("poolkeeper-management.key" in line for line in lines), lines
    assert not any("Restart the gateway" in line for line in lines), lines

    installed(gateway)
    lines = CliRunner().invoke(remove, ["--gateway-dir", str(gateway)]).output.splitlines()
    assert lines[-1].startswith("Restart the gateway"), lines


@pytest.mark.usefixtures("built")
def test_the_working_folder_is_named_from_which_the_gateway_finds_the_library(gateway: Path) -> None:
    named = f"A gateway finds {gateway / 'plugins' / system() / architecture()} when its working folder is {gateway}."
    lines = installed(gateway)[1]
    assert any(line.startswith(f"{named} One that runs there loads it now") for line in lines), lines
    assert not [line for line in lines if "A running gateway" in line], "its working folder is not known"
    shown = CliRunner().invoke(status, ["--gateway-dir", str(gateway)])
    assert named in shown.output.splitlines(), shown.output

    absolute = gateway.parent / "elsewhere"
    (gateway / "config.yaml").write_text(f"port: 1\nplugins:\n  dir: {absolute}\n", encoding="utf-8")
    lines = installed(gateway)[1]
    assert any(str(absolute) in line for line in lines), lines
    assert not [line for line in lines if "working folder" in line], lines


@pytest.mark.usefixtures("built")
def test_a_section_of_a_person_stays_and_the_lines_to_add_are_printed(gateway: Path) -> None:
    config = "port: 1\nplugins:\n  dir: ./mine/deep\n"
    (gateway / "config.yaml").write_text(config, encoding="utf-8")

    code, lines = installed(gateway)

    assert (code, (gateway / "config.yaml").read_text(encoding="utf-8")) == (1, config), lines
    first = lines.index("plugins:")
    added = yaml.safe_load("\n".join(line for line in lines[first:] if line.startswith(("plugins:", " "))))
    assert added["plugins"]["configs"]["poolkeeper"]["command"] == [str(OWN_PROGRAM), "plugin", "serve"]
    assert any("has a section plugins" in line for line in lines), lines
    added["plugins"]["dir"] = "./mine/deep"
    (gateway / "config.yaml").write_text(yaml.safe_dump({"port": 1, **added}), encoding="utf-8")
    assert installed(gateway) == (0, ["The plugin is installed already; nothing changed."])
    assert CliRunner().invoke(status, ["--gateway-dir", str(gateway)]).exit_code == 0

    removal = CliRunner().invoke(remove, ["--gateway-dir", str(gateway)])

    assert (removal.exit_code, "Delete plugins.configs.poolkeeper in" in removal.output) == (0, True), removal.output
    assert not list(gateway.rglob("*.so"))
    assert (gateway / "mine").is_dir(), "the configuration names it"


@pytest.mark.usefixtures("built")
def test_a_pin_of_the_plugin_store_is_named(gateway: Path) -> None:
    section = {"enabled": True, "configs": {"poolkeeper": {"enabled": True, "store": {"version": "0.0.1"}}}}
    (gateway / "config.yaml").write_text(yaml.safe_dump({"port": 1, "plugins": section}), encoding="utf-8")

    code, lines = installed(gateway)

    assert (code, "Delete plugins.configs.poolkeeper.store" in " ".join(lines)) == (1, True), lines
