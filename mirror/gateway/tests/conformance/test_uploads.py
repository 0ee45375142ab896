"""Uploading and downloading credential files, and asking for their models."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.rules import row, rule
from tests.conformance.stock import OK, ask, stock
from tests.management.serving import AUTHORISED, Answer, Served

CLAUDE = {"type": "claude", "email": "a@example.com", "access_token": "t"}


@pytest.fixture
async def served(tmp_path: Path) -> AsyncIterator[Served]:
    async with stock(tmp_path, files={"a.json": json.dumps(CLAUDE)}) as running:
        yield running


def stored(served: Served, name: str) -> bytes:
    return (served.runtime.auth_dir / name).read_bytes()


async def upload(served: Served, name: str, content: bytes) -> Answer:
    return await ask(served, f"POST auth-files?name={name}", raw=content)


def form(*files: tuple[str, str, bytes]) -> tuple[dict[str, str], bytes]:
    """Return headers and body of a form; a file is field name, file name and content."""
    parts = [
        f'--cut\r\nContent-Disposition: form-data; name="{field}"; filename="{name}"\r\n'
        "Content-Type: application/json\r\n\r\n".encode()
        + content
        + b"\r\n"
        for field, name, content in files
    ]
    headers = AUTHORISED | {"Content-Type": "multipart/form-data; boundary=cut"}
    return headers, b"".join([*parts, b"--cut--\r\n"])


@rule("upload.raw", "upload.private", "upload.canonical", "rewrite.form")
async def test_an_uploaded_file_is_stored_compact_sorted_and_private_and_is_a_credential(served: Served) -> None:
    answer = await upload(served, "b.json", b'{"type": "codex", "proxy-url": "direct", "email": "\xc3\xa9"}')
    assert answer.json == OK
    assert stored(served, "b.json") == '{"disabled":false,"email":"é","proxy_url":"direct","type":"codex"}'.encode()
    assert (served.runtime.auth_dir / "b.json").stat().st_mode & 0o777 == 0o600
    credential = served.runtime.snapshot.by_id("b.json")
    assert credential is not None
    assert (credential.provider, credential.proxy_url) == ("codex", "direct")


@pytest.mark.parametrize(
    ("name", "content", "status", "error"),
    [
        row("upload.name name.unsafe", "", b"{}", 400, "invalid name"),
        row("upload.name name.unsafe", "..%2Fx.json", b"{}", 400, "invalid name"),
        row("name.unsafe", "C:x.json", b"{}", 400, "invalid name"),
        row("upload.type", "x.txt", b"{}", 400, "name must end with .json"),
        row("upload.json", "x.json", b"", 500, "invalid auth file: unexpected end of JSON input"),
        row("upload.json", "x.json", b'{"a":', 500, "invalid auth file: unexpected end of JSON input"),
        row("upload.json", "x.json", b"[nope]", 500, "invalid auth file: not JSON at character 1"),
        row("upload.json", "x.json", b"\xff", 500, "invalid auth file: not JSON"),
        row("upload.object", "x.json", b"[]", 500, "invalid auth file: not a JSON object"),
        row("upload.weight", "x.json", b'{"weight": 1.5}', 500, "invalid auth file: weight must be an integer"),
        row(
            "upload.weight", "x.json", b'{"weight": 1000001}', 500, "invalid auth file: weight must not exceed 1000000"
        ),
    ],
)
async def test_an_unusable_upload_is_refused(
    served: Served, name: str, content: bytes, status: int, error: str
) -> None:
    answer = await upload(served, name, content)
    assert (answer.status, answer.json) == (status, {"error": error})
    assert sorted(path.name for path in served.runtime.auth_dir.iterdir()) == ["a.json"]


@rule("upload.form", "upload.base-name", "upload.form-type")
async def test_a_form_with_one_file_answers_like_a_single_upload(served: Served) -> None:
    headers, body = form(("file", "folder/b.json", json.dumps(CLAUDE).encode()))
    answer = await ask(served, "POST auth-files", raw=body, headers=headers)
    assert (answer.status, answer.json) == (200, OK)
    assert served.runtime.snapshot.by_id("b.json") is not None
    headers, body = form(("file", "b.txt", b"{}"))
    answer = await ask(served, "POST auth-files", raw=body, headers=headers)
    assert (answer.status, answer.json) == (400, {"error": "file must be .json"})


@rule("upload.several", "upload.partial")
async def test_a_form_with_several_files_says_what_became_of_each(served: Served) -> None:
    good = json.dumps(CLAUDE).encode()
    headers, body = form(("2", "b.json", good), ("1", "c.json", good))
    answer = await ask(served, "POST auth-files", raw=body, headers=headers)
    assert (answer.status, answer.json) == (200, {"status": "ok", "uploaded": 2, "files": ["c.json", "b.json"]})
    headers, body = form(("1", "d.json", good), ("1", "e.json", b"["))
    answer = await ask(served, "POST auth-files", raw=body, headers=headers)
    assert answer.status == 207
    error = "invalid auth file: unexpected end of JSON input"
    failed = [{"name": "e.json", "error": error}]
    assert answer.json == {"status": "partial", "uploaded": 1, "files": ["d.json"], "failed": failed}


@rule("upload.form-empty", "upload.form-invalid")
@pytest.mark.parametrize(
    "body", [b"", b"--cut--\r\n", b"--cut\r\nContent-Disposition: form-data; name=x\r\n\r\n1\r\n--cut--\r\n"]
)
async def test_a_form_without_files_is_refused(served: Served, body: bytes) -> None:
    headers, _ = form()
    answer = await ask(served, "POST auth-files", raw=body, headers=headers)
    assert answer.status == 400
    assert str(answer.json).startswith(("{'error': 'no files uploaded", "{'error': 'invalid multipart form"))


@rule("download.ok")
async def test_a_file_is_downloaded_as_it_stands(served: Served) -> None:
    answer = await ask(served, "GET auth-files/download?name=a.json")
    assert answer.body == json.dumps(CLAUDE).encode()
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["content-disposition"] == 'attachment; filename="a.json"'


@pytest.mark.parametrize(
    ("name", "status", "error"),
    [
        row("download.unknown", "x.json", 404, "file not found"),
        row("download.name", "..%2Fx.json", 400, "invalid name"),
        row("download.name", "", 400, "invalid name"),
        row("download.type", "x", 400, "name must end with .json"),
    ],
)
async def test_a_download_names_a_file(served: Served, name: str, status: int, error: str) -> None:
    answer = await ask(served, f"GET auth-files/download?name={name}")
    assert (answer.status, answer.json) == (status, {"error": error})


@rule("upload.overwrites")
async def test_an_upload_takes_the_place_of_a_file(served: Served) -> None:
    assert (await upload(served, "a.json", b'{"type":"codex"}')).json == OK
    assert [each.provider for each in served.runtime.snapshot.credentials] == ["codex"]


@rule("name.unsafe")
async def test_a_name_may_begin_with_dots(served: Served) -> None:
    assert (await upload(served, "..json", json.dumps(CLAUDE).encode())).status == 200
    assert (await ask(served, "GET auth-files/download?name=..json")).status == 200


@rule("upload.partial")
async def test_a_form_of_bad_files_only_is_partial_too(served: Served) -> None:
    headers, body = form(("1", "d.json", b"["), ("2", "e.txt", b"{}"))
    answer: Any = await ask(served, "POST auth-files", raw=body, headers=headers)
    assert (answer.status, answer.json["status"], answer.json["uploaded"]) == (207, "partial", 0)
    assert [failed["name"] for failed in answer.json["failed"]] == ["d.json", "e.txt"]


@rule("download.any")
async def test_a_file_that_is_no_credential_is_downloaded_too(served: Served) -> None:
    (served.runtime.auth_dir / "other.json").write_text("[1]")
    assert (await ask(served, "GET auth-files/download?name=%20other.json%20")).body == b"[1]"


@rule("models.ok", "models.unknown", "models.nameless")
async def test_models_are_asked_for_by_name(served: Served) -> None:
    got: Any = (await ask(served, "GET auth-files/models?name=a.json")).json
    assert {"id", "display_name", "type", "owned_by"} == set(got["models"][0])
    assert (await ask(served, "GET auth-files/models?name=none")).json == {"models": []}
    answer = await ask(served, "GET auth-files/models")
    assert (answer.status, answer.json) == (400, {"error": "name is required"})


@rule("upload.unwritten", "download.unread", "delete.failed")
async def test_a_folder_with_the_name_of_a_file_is_no_file(served: Served) -> None:
    (served.runtime.auth_dir / "b.json").mkdir()
    answers = [
        await upload(served, "b.json", b"{}"),
        await ask(served, "GET auth-files/download?name=b.json"),
        await ask(served, "DELETE auth-files?name=b.json"),
    ]
    assert [got.status for got in answers] == [500, 500, 500]
    texts = [str(got.json).split(": ")[1].strip("'") for got in answers]
    assert texts == ["failed to write file", "failed to read file", "failed to remove file"]
