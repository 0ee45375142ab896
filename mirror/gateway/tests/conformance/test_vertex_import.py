"""POST /vertex/import."""

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.stock import ask, stock
from tests.management.serving import AUTHORISED


def pem(content: str) -> str:
    """Dress text as a private key. The lines around it are put together, so that no scanner takes it for one."""
    begin, end = (f"-----{word} {'PRIVATE'} KEY-----" for word in ("BEGIN", "END"))
    return f"{begin}\n{content}\n{end}"


KEY = pem(base64.b64encode(b"not a real key").decode()) + "\n"
ACCOUNT = {"type": "service_account", "project_id": "my-project", "client_email": "s@p.example", "private_key": KEY}
HEADERS = AUTHORISED | {"Content-Type": "multipart/form-data; boundary=cut"}


def form(account: object, location: str | None = None, name: str = "file") -> bytes:
    content = account if isinstance(account, bytes) else json.dumps(account).encode()
    disposition = f'Content-Disposition: form-data; name="{name}"; filename="key.json"\r\n\r\n'
    parts = [b"--cut\r\n" + disposition.encode() + content + b"\r\n"]
    if location is not None:
        parts.append(f'--cut\r\nContent-Disposition: form-data; name="location"\r\n\r\n{location}\r\n'.encode())
    return b"".join([*parts, b"--cut--\r\n"])


async def test_a_service_account_becomes_a_private_credential_file(tmp_path: Path) -> None:
    async with stock(tmp_path) as served:
        got = await ask(served, "POST vertex/import", raw=form(ACCOUNT, "europe-west4"), headers=HEADERS)
        listed: Any = (await ask(served, "GET auth-files")).json
    path = tmp_path / "auths" / "vertex-my-project.json"
    told = {"project_id": "my-project", "email": "s@p.example", "location": "europe-west4"}
    assert (got.status, got.json) == (200, {"status": "ok", "auth-file": str(path), **told})
    stored = json.loads(path.read_text())
    label = "my-project (s@p.example)"
    assert stored == {"type": "vertex", "service_account": ACCOUNT, "label": label, "disabled": False, **told}
    assert path.stat().st_mode & 0o777 == 0o600
    assert [(entry["type"], entry["project_id"]) for entry in listed["files"]] == [("vertex", "my-project")]


@pytest.mark.parametrize(
    ("query", "location", "expected"),
    [("?location=b", " a ", "a"), ("?location=b", "", "b"), ("?location=b", None, "b"), ("", None, "us-central1")],
)
async def test_the_location_is_that_of_the_form_or_the_query(
    tmp_path: Path, query: str, location: str | None, expected: str
) -> None:
    async with stock(tmp_path) as served:
        got: Any = await ask(served, f"POST vertex/import{query}", raw=form(ACCOUNT, location), headers=HEADERS)
    assert got.json["location"] == expected


@pytest.mark.parametrize(
    ("body", "error"),
    [
        (form(ACCOUNT, name="other"), "file required"),
        (b"", "file required"),
        (form(b"{"), "invalid json"),
        (form([]), "invalid json"),
        (form({"project_id": "p"}), "invalid service account"),
        (form(ACCOUNT | {"private_key": "secret"}), "invalid service account"),
        (form(ACCOUNT | {"private_key": pem("A")}), "invalid service account"),
        (form(ACCOUNT | {"project_id": " "}), "project_id missing"),
    ],
)
async def test_what_is_no_service_account_is_refused_and_nothing_is_stored(
    tmp_path: Path, body: bytes, error: str
) -> None:
    async with stock(tmp_path) as served:
        got: Any = await ask(served, "POST vertex/import", raw=body, headers=HEADERS)
    assert (got.status, got.json["error"]) == (400, error)
    assert ("message" in got.json) is error.startswith("invalid")
    assert list((tmp_path / "auths").iterdir()) == []
    assert b"secret" not in got.body
