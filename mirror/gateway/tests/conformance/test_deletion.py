"""DELETE /auth-files."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.pools import FILES, KINDS
from tests.conformance.stock import OK, ask, stock
from tests.management.serving import Served

A, B, C = sorted(FILES, key=str.lower)


@pytest.fixture
async def served(tmp_path: Path) -> AsyncIterator[Served]:
    async with stock(tmp_path, KINDS, files=FILES) as running:
        yield running


async def left(served: Served) -> list[str]:
    listed: Any = (await ask(served, "GET auth-files")).json
    return [entry["name"] for entry in listed["files"]]


@pytest.mark.parametrize(
    ("query", "body", "status", "answer", "remaining"),
    [
        (f"?name={A}", b"", 200, OK, [B, C]),
        (f"?name=%20{A}%20&name={A}", b"", 200, OK, [B, C]),
        (f"?name={A}", f'["{B}"]'.encode(), 200, OK, [B, C]),
        ("", json.dumps([A, f" {B} ", B]).encode(), 200, {"deleted": 2, "files": [A, B], "status": "ok"}, [C]),
        ("", json.dumps({"name": A, "names": [B]}).encode(), 200, {"deleted": 2, "files": [A, B], "status": "ok"}, [C]),
        (
            f"?name={A}&name=absent.json",
            b"",
            207,
            {
                "deleted": 1,
                "failed": [{"error": "auth file not found", "name": "absent.json"}],
                "files": [A],
                "status": "partial",
            },
            [B, C],
        ),
        ("?all=true", b"", 200, {"deleted": 3, "status": "ok"}, []),
        ("?all=1", b"", 200, {"deleted": 3, "status": "ok"}, []),
        ("?all=*", b"", 200, {"deleted": 3, "status": "ok"}, []),
        ("?all=TRUE", b"", 400, {"error": "invalid name"}, [A, B, C]),
        ("", b"", 400, {"error": "invalid name"}, [A, B, C]),
        ("?name=%20", b"", 400, {"error": "invalid name"}, [A, B, C]),
        ("?name=..%2Fconfig.json", b"", 400, {"error": "invalid name"}, [A, B, C]),
        ("?name=absent.json", b"", 404, {"error": "auth file not found"}, [A, B, C]),
        ("", b"{nope", 400, {"error": "invalid request body"}, [A, B, C]),
        ("", b'{"name":7}', 400, {"error": "invalid request body"}, [A, B, C]),
        ("", b"[1]", 400, {"error": "invalid request body"}, [A, B, C]),
        ("?name=claude:apikey:6ddeb420187e", b"", 404, {"error": "auth file not found"}, [A, B, C]),
    ],
)
async def test_a_deletion_answers_and_leaves_the_others(
    served: Served, query: str, body: bytes, status: int, answer: object, *, remaining: list[str]
) -> None:
    got = await ask(served, f"DELETE auth-files{query}", raw=body)
    assert (got.status, got.json) == (status, answer)
    assert await left(served) == remaining
    assert sorted(path.name for path in served.runtime.auth_dir.iterdir()) == sorted(remaining)


async def test_a_file_that_is_no_credential_is_deleted_by_its_name(served: Served) -> None:
    other = served.runtime.auth_dir / "other.json"
    other.write_text("{}")
    assert (await ask(served, "DELETE auth-files?name=other.json")).json == OK
    assert not other.exists()


async def test_all_files_means_only_json_files_directly_in_the_folder(served: Served) -> None:
    (served.runtime.auth_dir / "deep").mkdir()
    for name in ("deep/a.json", "notes.txt"):
        (served.runtime.auth_dir / name).write_text("{}")
    (served.runtime.auth_dir / "no-credential.json").write_text("[]")
    assert (await ask(served, "DELETE auth-files?all=true")).json == {"deleted": 4, "status": "ok"}
    assert sorted(path.name for path in served.runtime.auth_dir.rglob("*")) == ["a.json", "deep", "notes.txt"]
