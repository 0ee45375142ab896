"""Credential files in subfolders of auth-dir, and those of the type gemini-cli."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.stock import OK, ask, stock

INNER = "sub/codex-sub.json"
CLI = "gemini-cli.json"


def written(folder: Path) -> None:
    (folder / "auths" / "sub").mkdir(parents=True)
    (folder / "auths" / INNER).write_text('{"type": "codex", "access_token": "inner-token", "email": "s@b.c"}')
    (folder / "auths" / CLI).write_text('{"type": "gemini-cli", "access_token": "cli-token", "project_id": "p"}')


async def test_they_are_listed_with_their_path_as_id_and_name(tmp_path: Path) -> None:
    written(tmp_path)
    async with stock(tmp_path, files={"claude-a.json": '{"type": "claude"}'}) as served:
        listed: Any = (await ask(served, "GET auth-files")).json
    shown = {entry["id"]: entry for entry in listed["files"]}
    assert list(shown) == ["claude-a.json", CLI, INNER]
    inner, cli = shown[INNER], shown[CLI]
    assert (inner["name"], inner["type"], inner["label"]) == (INNER, "codex", "s@b.c")
    assert inner["path"] == f"{tmp_path}/auths/{INNER}"
    assert (cli["name"], cli["type"], cli["label"], cli["project_id"]) == (CLI, "gemini-cli", "p", "p")


@pytest.mark.parametrize("name", [INNER, CLI])
async def test_they_are_switched_by_their_id(tmp_path: Path, name: str) -> None:
    written(tmp_path)
    path = tmp_path / "auths" / name
    before = path.read_text()
    async with stock(tmp_path) as served:
        for disabled in (True, False):
            got = await ask(served, "PATCH auth-files/status", {"name": name, "disabled": disabled})
            assert (got.status, got.json) == (200, {"status": "ok", "disabled": disabled})
            assert json.loads(path.read_text())["disabled"] is disabled
        assert (await ask(served, "PATCH auth-files/fields", {"name": name, "note": "n"})).json == OK
    assert json.loads(path.read_text()) == json.loads(before) | {"disabled": False, "note": "n"}


@pytest.mark.parametrize(
    "request_line", ["GET auth-files/download?name=sub/codex-sub.json", "DELETE auth-files?name=sub/codex-sub.json"]
)
async def test_a_path_is_no_name_for_a_download_or_a_deletion(tmp_path: Path, request_line: str) -> None:
    written(tmp_path)
    async with stock(tmp_path) as served:
        got = await ask(served, request_line)
    assert (got.status, got.json) == (400, {"error": "invalid name"})
    assert (tmp_path / "auths" / INNER).exists()


async def test_all_files_that_are_deleted_are_those_directly_in_the_folder(tmp_path: Path) -> None:
    written(tmp_path)
    async with stock(tmp_path) as served:
        got = await ask(served, "DELETE auth-files?all=true")
    assert got.json == {"status": "ok", "deleted": 1}
    assert (tmp_path / "auths" / INNER).exists()
