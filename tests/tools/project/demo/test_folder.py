from pathlib import Path

import pytest
import yaml

from tools.mirror.errors import ToolError
from tools.project.demo.files import DEMO_FILES
from tools.project.demo.folder import open_folder


def test_an_absent_folder_is_written_whole_and_private(tmp_path: Path) -> None:
    folder = open_folder(tmp_path / "demo")
    config = yaml.safe_load(folder.config.read_text("utf-8"))

    assert config["port"] == folder.gateway_port
    assert config["remote-management"]["secret-key"] == folder.management_key
    assert {path.name for path in Path(config["auth-dir"]).iterdir()} == {file.name for file in DEMO_FILES}
    assert all(path.stat().st_mode & 0o077 == 0 for path in folder.path.rglob("*"))
    assert f":{folder.providers_port}/" in folder.config.read_text("utf-8")


def test_a_demo_folder_is_used_again_as_it_is(tmp_path: Path) -> None:
    first = open_folder(tmp_path)
    first.config.write_text("changed: true\n", "utf-8")

    assert open_folder(tmp_path, providers_port=1) == first
    assert first.config.read_text("utf-8") == "changed: true\n"


def test_two_folders_have_two_keys(tmp_path: Path) -> None:
    keys = {open_folder(tmp_path / name).management_key for name in ("a", "b")}

    assert len(keys) == 2


def test_the_port_of_the_providers_can_be_chosen(tmp_path: Path) -> None:
    assert open_folder(tmp_path, providers_port=8123).providers_port == 8123


def test_a_folder_with_something_else_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear", "utf-8")

    with pytest.raises(ToolError, match="not a demo folder"):
        open_folder(tmp_path)

    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


@pytest.mark.parametrize("note", ["", "{}", '{"gateway_port": "x"}', "[]"])
def test_a_broken_note_is_named(tmp_path: Path, note: str) -> None:
    (tmp_path / "demo.json").write_text(note, "utf-8")

    with pytest.raises(ToolError, match=r"demo\.json cannot be read"):
        open_folder(tmp_path)


def test_a_path_that_is_a_file_cannot_be_used(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")

    with pytest.raises(ToolError, match="cannot be used"):
        open_folder(tmp_path / "file")
