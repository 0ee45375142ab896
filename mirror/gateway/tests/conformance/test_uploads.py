"""Uploading and downloading credential files, and asking for their models."""

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

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
        ("", b"{}", 400, "invalid name"),
        ("..%2Fx.json", b"{}", 400, "invalid name"),
        ("C:x.json", b"{}", 400, "invalid name"),
        ("x.txt", b"{}", 400, "name must end with .json"),
        ("x.json", b"", 500, "invalid auth file: unexpected end of JSON input"),
        ("x.json", b'{"a":', 500, "invalid auth file: unexpected end of JSON input"),
        ("x.json", b"[nope]", 500, "invalid auth file: not JSON at character 1"),
        ("x.json", b"\xff", 500, "invalid auth file: not JSON"),
        ("x.json", b"[]", 500, "invalid auth file: not a JSON object"),
        ("x.json", b'{"weight": 1.5}', 500, "invalid auth file: weight must be an integer"),
        ("x.json", b'{"weight": 1000001}', 500, "invalid auth file: weight must not exceed 1000000"),
    ],
)
async def test_an_unusable_upload_is_refused(
    served: Served, name: str, content: bytes, status: int, error: str
) -> None:
    answer = await upload(served, name, content)
    assert (answer.status, answer.json) == (status, {"error": error})
    assert sorted(path.name for path in served.runtime.auth_dir.iterdir()) == ["a.json"]


async def test_a_form_with_one_file_answers_like_a_single_upload(served: Served) -> None:
    headers, body = form(("file", "folder/b.json", json.dumps(CLAUDE).encode()))
    answer = await ask(served, "POST auth-files", raw=body, headers=headers)
    assert (answer.status, answer.json) == (200, OK)
    assert served.runtime.snapshot.by_id("b.json") is not None
    headers, body = form(("file", "b.txt", b"{}"))
    answer = await ask(served, "POST auth-files", raw=body, headers=headers)
    assert (answer.status, answer.json) == (400, {"error": "file must be .json"})


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


async def test_a_file_is_downloaded_as_it_stands(served: Served) -> None:
    answer = await ask(served, "GET auth-files/download?name=a.json")
    assert answer.body == json.dumps(CLAUDE).encode()
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["content-disposition"] == 'attachment; filename="a.json"'


@pytest.mark.parametrize(
    ("name", "status", "error"),
    [
        ("x.json", 404, "file not found"),
        ("..%2Fx.json", 400, "invalid name"),
        ("", 400, "invalid name"),
        ("x", 400, "name must end with .json"),
    ],
)
async def test_a_download_names_a_file(served: Served, name: str, status: int, error: str) -> None:
    answer = await ask(served, f"GET auth-files/download?name={name}")
    assert (answer.status, answer.json) == (status, {"error": error})
