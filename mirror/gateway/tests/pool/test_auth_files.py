import json
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gateway.internal.configuration.files import SystemFiles
from gateway.internal.pool.credential import Credential
from gateway.internal.pool.folder import AuthFile, AuthFolder, shown_folder, synthesise_file

NOW = datetime(2026, 11, 21, 8, 0, tzinfo=UTC)
LATER = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)


def made(content: object, name: str = "claude-a.json") -> Credential | None:
    data = content if isinstance(content, bytes) else json.dumps(content).encode()
    return synthesise_file(AuthFile(Path("/auths") / name, Path("auths") / name, name, data, 10**18), None, NOW)


def test_a_file_becomes_a_credential_of_its_type() -> None:
    credential = made({"type": "Claude", "email": "a@b.c", "access_token": "secret-1", "disabled": True, "weight": 2})
    assert credential is not None
    assert (credential.id, credential.provider, credential.label) == ("claude-a.json", "claude", "a@b.c")
    assert (credential.disabled, credential.weight) == (True, 2)
    assert credential.attributes["path"] == "auths/claude-a.json"
    assert "secret" not in repr(credential)


@pytest.mark.parametrize(
    "content",
    [{}, {"type": ""}, {"type": "gemini"}, {"type": "Gemini"}, {"type": 5}, [], b"{", b"\xff", b"",
     {"type": "claude", "weight": 1.5}, {"type": "claude", "weight": 1000001}, {"type": "claude", "weight": True},
     {"type": "claude", "weight": "1000001"}, {"type": "claude", "weight": "1.5"}, {"type": "claude", "weight": None},
     {"type": "claude", "weight": [1]}],
)  # fmt: skip
def test_what_is_no_credential_is_left_out(content: object) -> None:
    assert made(content) is None


def test_legacy_field_names_count_as_the_new_ones() -> None:
    credential = made({"type": "claude", "proxy-url": "direct", "excluded-models": ["A", "a"]})
    assert credential is not None
    assert (credential.proxy_url, credential.excluded_models) == ("direct", ("a",))


def test_json_files_count_by_their_path_within_the_folder(tmp_path: Path) -> None:
    (tmp_path / "deep" / "er").mkdir(parents=True)
    for name in ("b.json", "a.JSON", "c.txt", "deep/d.json", "deep/er/e.json", ".a.json.new", "deep/.d.json.new"):
        (tmp_path / name).write_text('{"type":"claude"}')
    ids = ["a.JSON", "b.json", "deep/d.json", "deep/er/e.json"]
    found = AuthFolder(SystemFiles()).scan(tmp_path, NOW)
    assert [each.id for each in found] == ids
    assert [each.file_name for each in found] == ids
    assert [each.path for each in found] == [tmp_path / name for name in ids]


def test_links_to_folders_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "a.json").write_text('{"type":"claude"}')
    folder = tmp_path / "auths"
    (folder / "inner").mkdir(parents=True)
    (folder / "inner" / "loop").symlink_to(folder)
    (folder / "linked").symlink_to(tmp_path / "elsewhere")
    assert AuthFolder(SystemFiles()).scan(folder, NOW) == ()


def test_only_so_many_levels_are_looked_at(tmp_path: Path) -> None:
    deep = tmp_path.joinpath(*"12345")
    deep.mkdir(parents=True)
    for each in (deep, deep.parent):
        (each / "a.json").write_text('{"type":"claude"}')
    assert [each.id for each in AuthFolder(SystemFiles()).scan(tmp_path, NOW)] == ["1/2/3/4/a.json"]


@pytest.mark.parametrize(
    ("fields", "label"),
    [
        ({"label": "mine", "email": "a@b.c", "project_id": "p"}, "mine"),
        ({"email": "a@b.c", "project_id": "p"}, "a@b.c"),
        ({"project_id": "p"}, "p"),
        ({}, ""),
    ],
)
@pytest.mark.parametrize(("kind", "name"), [("codex", "sub/a.json"), ("gemini-cli", "a.json")])
def test_what_the_stock_gateway_reads_at_its_start_only_is_labelled_its_way(
    fields: dict[str, str], label: str, kind: str, name: str
) -> None:
    credential = made({"type": kind, **fields}, name)
    assert credential is not None
    assert (credential.id, credential.provider, credential.label) == (name, kind, label)


def test_an_unchanged_file_keeps_its_credential_and_a_changed_one_its_birth(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_text('{"type":"claude"}')
    folder = AuthFolder(SystemFiles())
    (first,) = folder.scan(tmp_path, NOW)
    assert folder.scan(tmp_path, LATER)[0] is first
    file.write_text('{"type":"claude","disabled":true}')
    (changed,) = folder.scan(tmp_path, LATER)
    assert (changed.disabled, changed.created_at) == (True, NOW)
    assert changed.revision != first.revision


def test_a_relative_folder_is_shown_as_configured_and_indexed_as_absolute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "auths").mkdir()
    (tmp_path / "auths" / "a.json").write_text('{"type":"claude"}')
    shown = shown_folder("./x/../auths")
    (credential,) = AuthFolder(SystemFiles()).scan(shown, NOW)
    assert credential.attributes["path"] == os.path.join("auths", "a.json")  # noqa: PTH118 - as a client sees it
    assert credential.path == tmp_path / "auths" / "a.json"
