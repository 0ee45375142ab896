"""Uploading, downloading, editing and asking about credential files over HTTP."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.management.serving import AUTHORISED, Answer, Served, gateway, secured

OK = {"status": "ok"}
CLAUDE = {"type": "claude", "email": "a@example.com", "access_token": "t"}
PATH = "/v0/management/auth-files"
KEYS = """claude-api-key:
  - api-key: sk-key
    models: [{name: m, alias: n}]
  - api-key: sk-off
    excluded-models: ['*']
"""


@pytest.fixture
async def served(tmp_path: Path) -> AsyncIterator[Served]:
    async with gateway(tmp_path, secured(tmp_path, KEYS), files={"a.json": json.dumps(CLAUDE)}) as running:
        yield running


def stored(served: Served, name: str) -> bytes:
    return (served.runtime.auth_dir / name).read_bytes()


async def upload(served: Served, name: str, content: bytes) -> Answer:
    return await served.request("POST", f"{PATH}?name={name}", data=content)


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
    answer = await served.request("POST", PATH, headers=headers, data=body)
    assert (answer.status, answer.json) == (200, OK)
    assert served.runtime.snapshot.by_id("b.json") is not None
    headers, body = form(("file", "b.txt", b"{}"))
    answer = await served.request("POST", PATH, headers=headers, data=body)
    assert (answer.status, answer.json) == (400, {"error": "file must be .json"})


async def test_a_form_with_several_files_says_what_became_of_each(served: Served) -> None:
    good = json.dumps(CLAUDE).encode()
    headers, body = form(("2", "b.json", good), ("1", "c.json", good))
    answer = await served.request("POST", PATH, headers=headers, data=body)
    assert (answer.status, answer.json) == (200, {"status": "ok", "uploaded": 2, "files": ["c.json", "b.json"]})
    headers, body = form(("1", "d.json", good), ("1", "e.json", b"["))
    answer = await served.request("POST", PATH, headers=headers, data=body)
    assert answer.status == 207
    error = "invalid auth file: unexpected end of JSON input"
    failed = [{"name": "e.json", "error": error}]
    assert answer.json == {"status": "partial", "uploaded": 1, "files": ["d.json"], "failed": failed}


@pytest.mark.parametrize(
    "body", [b"", b"--cut--\r\n", b"--cut\r\nContent-Disposition: form-data; name=x\r\n\r\n1\r\n--cut--\r\n"]
)
async def test_a_form_without_files_is_refused(served: Served, body: bytes) -> None:
    headers, _ = form()
    answer = await served.request("POST", PATH, headers=headers, data=body)
    assert answer.status == 400
    assert str(answer.json).startswith(("{'error': 'no files uploaded", "{'error': 'invalid multipart form"))


async def test_a_file_is_downloaded_as_it_stands(served: Served) -> None:
    answer = await served.request("GET", f"{PATH}/download?name=a.json")
    assert answer.body == json.dumps(CLAUDE).encode()
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["content-disposition"] == 'attachment; filename="a.json"'


@pytest.mark.parametrize(
    ("name", "status", "error"),
    [("x.json", 404, "file not found"), ("..%2Fx.json", 400, "invalid name"), ("x", 400, "name must end with .json")],
)
async def test_a_download_names_a_file(served: Served, name: str, status: int, error: str) -> None:
    answer = await served.request("GET", f"{PATH}/download?name={name}")
    assert (answer.status, answer.json) == (status, {"error": error})


async def patch(served: Served, **fields: Any) -> Answer:
    return await served.request("PATCH", f"{PATH}/fields", json={"name": "a.json", **fields})


async def test_fields_are_changed_and_all_others_stay(served: Served) -> None:
    answer = await patch(served, **{"proxy-url": "direct", "a.b.c": 1, "a.d": None, "weight": -3, "note": "hi"})
    assert answer.json == OK
    expected = CLAUDE | {"proxy_url": "direct", "a": {"b": {"c": 1}, "d": None}, "weight": 0, "note": "hi"}
    assert json.loads(stored(served, "a.json")) == expected | {"disabled": False}
    credential = served.runtime.snapshot.by_id("a.json")
    assert credential is not None
    assert (credential.proxy_url, credential.weight) == ("direct", 0)
    await patch(served, weight=None, request_retry=-1, **{"a.b": 2})
    left = json.loads(stored(served, "a.json"))
    assert (left["a"], "weight" in left, "request_retry" in left) == ({"b": 2, "d": None}, False, False)


async def test_headers_are_merged_and_an_empty_one_goes(served: Served) -> None:
    await patch(served, headers={"A": "1", "B": "2"})
    await patch(served, headers={"A": " ", "C": "3"})
    assert json.loads(stored(served, "a.json"))["headers"] == {"B": "2", "C": "3"}


@pytest.mark.parametrize(
    ("body", "status", "error"),
    [
        ([], 400, "invalid request body"),
        ({}, 400, "name is required"),
        ({"name": 1, "note": "x"}, 400, "name is required"),
        ({"name": "a.json"}, 400, "no fields to update"),
        ({"name": "a.json", " ": 1}, 400, "field name is required"),
        ({"name": "a.json", "a..b": 1}, 400, "invalid field path: a..b"),
        ({"name": "a.json", "note": 1, " note": 2}, 400, 'auth file fields "note" and " note" refer to the same field'),
        ({"name": "a.json", "weight": "1"}, 400, "weight must be an integer"),
        ({"name": "a.json", "weight": 1000001}, 400, "weight must not exceed 1000000"),
        ({"name": "a.json", "weight.x": 1}, 400, "weight does not support nested fields"),
        ({"name": "a.json", "request-retry": "1"}, 400, "request_retry must be an integer or null"),
        ({"name": "a.json", "request_retry.x": 1}, 400, "request_retry does not support nested fields"),
        ({"name": "none.json", "note": 1}, 404, "auth file not found"),
    ],
)
async def test_an_impossible_change_of_fields_is_refused(served: Served, body: object, status: int, error: str) -> None:
    before = stored(served, "a.json")
    answer = await served.request("PATCH", f"{PATH}/fields", json=body)
    assert (answer.status, answer.json) == (status, {"error": error})
    assert stored(served, "a.json") == before


async def test_the_canonical_name_of_a_field_beats_the_older_one(served: Served) -> None:
    await patch(served, **{"proxy-url": "old", "proxy_url": "new"})
    assert json.loads(stored(served, "a.json"))["proxy_url"] == "new"


async def test_a_configured_key_has_no_fields_to_change(served: Served) -> None:
    name = next(each.id for each in served.runtime.snapshot.credentials if each.api_key == "sk-key")
    answer = await served.request("PATCH", f"{PATH}/fields", json={"name": name, "note": "x"})
    assert answer.status == 409
    assert answer.json == {"error": f"{name} is an API key in config.yaml; edit it in its section"}


async def test_the_models_of_a_credential_are_listed_and_a_switched_off_one_has_none(served: Served) -> None:
    ids = {each.api_key: each.id for each in served.runtime.snapshot.credentials}
    listed: Any = (await served.request("GET", f"{PATH}/models?name={ids['sk-key']}")).json
    assert [model["id"] for model in listed["models"]] == ["n"]
    for name in (ids["sk-off"], "none"):
        assert (await served.request("GET", f"{PATH}/models?name={name}")).json == {"models": []}
    of_file: Any = (await served.request("GET", f"{PATH}/models?name=a.json")).json
    assert {"id", "display_name", "type", "owned_by"} == set(of_file["models"][0])
    answer = await served.request("GET", f"{PATH}/models")
    assert (answer.status, answer.json) == (400, {"error": "name is required"})
