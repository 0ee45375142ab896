import json
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gateway.internal.configuration.files import SystemFiles
from gateway.internal.pool.auth_files import AuthFile, synthesise_file
from gateway.internal.pool.credential import Credential
from gateway.internal.pool.folder import AuthFolder, shown_folder
from tests.conformance.rules import rule

NOW = datetime(2026, 11, 21, 8, 0, tzinfo=UTC)
LATER = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)


def made(content: object, name: str = "claude-a.json") -> Credential | None:
    data = content if isinstance(content, bytes) else json.dumps(content).encode()
    return synthesise_file(AuthFile(Path("/auths") / name, Path("auths") / name, data, 10**18), None, NOW)


def test_a_file_becomes_a_credential_of_its_type() -> None:
    credential = made({"type": "Claude", "email": "a@b.c", "access_token": "secret-1", "disabled": True, "weight": 2})
    assert credential is not None
    assert (credential.id, credential.provider, credential.label) == ("claude-a.json", "claude", "a@b.c")
    assert (credential.disabled, credential.weight) == (True, 2)
    assert credential.attributes["path"] == "auths/claude-a.json"
    assert "secret" not in repr(credential)


@rule("ignored.type", "ignored.json", "ignored.weight", "file.ignored")
@pytest.mark.parametrize(
    "content",
    [{}, {"type": ""}, {"type": "gemini"}, {"type": "gemini-cli"}, {"type": 5}, [], b"{", b"\xff", b"",
     {"type": "claude", "weight": 1.5}, {"type": "claude", "weight": 1000001}, {"type": "claude", "weight": True},
     {"type": "claude", "weight": "1000001"}, {"type": "claude", "weight": "1.5"}, {"type": "claude", "weight": None},
     {"type": "claude", "weight": [1]}],
)  # fmt: skip
def test_what_is_no_credential_is_left_out(content: object) -> None:
    assert made(content) is None


@rule("file-field.disabled", "file-field.priority", "file-field.headers")
def test_a_label_falls_back_to_the_type_and_odd_fields_do_no_harm() -> None:
    credential = made({"type": "kimi", "disabled": "true", "priority": "7", "headers": {"a": 1, "b": "c"}, "email": 3})
    assert credential is not None
    assert (credential.label, credential.disabled, credential.priority) == ("kimi", False, 7)
    assert credential.headers == (("b", "c"),)


@rule("file-field.aliases")
def test_legacy_field_names_count_as_the_new_ones() -> None:
    credential = made({"type": "claude", "proxy-url": "direct", "excluded-models": ["A", "a"]})
    assert credential is not None
    assert (credential.proxy_url, credential.excluded_models) == ("direct", ("a",))


@rule("reload.files")
def test_only_json_files_directly_in_the_folder_count(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    for name in ("b.json", "a.JSON", "c.txt", "deep/d.json", ".a.json.new"):
        (tmp_path / name).write_text('{"type":"claude"}')
    assert [each.id for each in AuthFolder(SystemFiles()).scan(tmp_path, NOW)] == ["a.JSON", "b.json"]


def test_a_missing_folder_is_an_empty_one(tmp_path: Path) -> None:
    assert AuthFolder(SystemFiles()).scan(tmp_path / "none", NOW) == ()


@rule("index.recomputed")
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


@rule("index.path", "entry.path")
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


def test_the_default_folder_is_in_the_home_folder() -> None:
    assert shown_folder("") == Path.home() / ".cli-proxy-api"
