"""POST /vertex/import."""

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.rules import row, rule
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


@rule("vertex-import.ok")
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
    [
        row("vertex-import.location", "?location=b", " a ", "a"),
        row("vertex-import.location", "?location=b", "", "b"),
        row("vertex-import.location", "?location=b", None, "b"),
        row("vertex-import.location", "", None, "us-central1"),
    ],
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
        row("vertex-import.fileless", form(ACCOUNT, name="other"), "file required"),
        row("vertex-import.fileless", b"", "file required"),
        row("vertex-import.json", form(b"{"), "invalid json"),
        row("vertex-import.json", form([]), "invalid json"),
        row("vertex-import.account", form({"project_id": "p"}), "invalid service account"),
        row("vertex-import.account", form(ACCOUNT | {"private_key": "secret"}), "invalid service account"),
        row(
            "vertex-import.account",
            form(ACCOUNT | {"private_key": pem("A")}),
            "invalid service account",
        ),
        row("vertex-import.project", form(ACCOUNT | {"project_id": " "}), "project_id missing"),
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


@rule("vertex-import.fileless")
async def test_a_body_that_is_no_form_has_no_file(tmp_path: Path) -> None:
    async with stock(tmp_path) as served:
        got = await ask(served, "POST vertex/import", ACCOUNT)
    assert (got.status, got.json) == (400, {"error": "file required"})


@rule("vertex-import.ok")
async def test_a_project_cannot_lead_out_of_the_folder(tmp_path: Path) -> None:
    async with stock(tmp_path) as served:
        body = form(ACCOUNT | {"project_id": "../a:b c"})
        assert (await ask(served, "POST vertex/import", raw=body, headers=HEADERS)).status == 200
    assert [path.name for path in (tmp_path / "auths").iterdir()] == ["vertex-.._a_b-c.json"]


@rule("vertex-import.ok")
async def test_what_cannot_be_stored_is_500(tmp_path: Path) -> None:
    async with stock(tmp_path) as served:
        (tmp_path / "auths" / "vertex-my-project.json").mkdir()
        got: Any = await ask(served, "POST vertex/import", raw=form(ACCOUNT), headers=HEADERS)
    assert (got.status, got.json["error"]) == (500, "save_failed")
    assert got.json["message"].startswith("failed to write file: ")


@rule("vertex-import.ok", "file.vertex")
async def test_an_imported_account_serves_the_models_of_its_family(tmp_path: Path) -> None:
    async with stock(tmp_path) as served:
        await ask(served, "POST vertex/import", raw=form(ACCOUNT), headers=HEADERS)
        got: Any = (await ask(served, "GET auth-files/models?name=vertex-my-project.json")).json
    assert [model["id"] for model in got["models"] if model["id"].startswith("gemini-")]
