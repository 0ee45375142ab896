"""Bodies that are JSON only on the face of it: they are read as Go reads them, and never end in a defect."""

import json
from pathlib import Path

import pytest

from tests.conformance.stock import ask, on_disk, stock

HALF, WHOLE = '"\\ud800"', "\ufffd"
FILES = {"a.json": '{"type":"claude"}'}


def stored(folder: Path) -> dict[str, object]:
    content: dict[str, object] = json.loads((folder / "auths" / "a.json").read_text())
    return content


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "1" * 5000])
@pytest.mark.parametrize(
    ("call", "body"),
    [
        ("PATCH auth-files/fields", '{"name":"a.json","note":%s}'),
        ("PUT oauth-excluded-models", '{"claude":[%s]}'),
        ("PUT proxy-url", '{"value":%s}'),
        ("PUT claude-api-key", '[{"api-key":"k","weight":%s}]'),
    ],
)
async def test_a_number_that_is_none_is_400(tmp_path: Path, call: str, body: str, number: str) -> None:
    async with stock(tmp_path, files=FILES) as served:
        before = served.runtime.text
        got = await ask(served, call, raw=(body % number).encode())
        assert got.status == 400
        assert isinstance(got.json, dict)
        assert (served.runtime.text, stored(tmp_path)) == (before, {"type": "claude"})


async def test_half_a_character_becomes_a_replacement_character_wherever_it_is_written(tmp_path: Path) -> None:
    async with stock(tmp_path, files=FILES) as served:
        fields = f'{{"name":"a.json","note":{HALF},"headers":{{{HALF}:{HALF}}}}}'.encode()
        assert (await ask(served, "PATCH auth-files/fields", raw=fields)).status == 200
        assert (stored(tmp_path)["note"], stored(tmp_path)["headers"]) == (WHOLE, {WHOLE: WHOLE})
        keys = f'[{{"api-key":{HALF},"headers":{{"X":{HALF}}}}}]'.encode()
        assert (await ask(served, "PUT claude-api-key", raw=keys)).status == 200
        assert on_disk(served)["claude-api-key"] == [{"api-key": WHOLE, "headers": {"X": WHOLE}}]
        got = await ask(served, "DELETE auth-files", raw=f"[{HALF}]".encode())
        assert (got.status, got.json) == (404, {"error": "auth file not found"})


async def test_a_line_break_in_the_name_of_a_file_makes_no_header(tmp_path: Path) -> None:
    async with stock(tmp_path, files={"a\r\nX-Own: 1.json": "{}"}) as served:
        got = await ask(served, "GET auth-files/download?name=a%0D%0AX-Own:%201.json")
        assert got.status == 200
        assert "x-own" not in got.headers
        assert got.headers["content-disposition"] == 'attachment; filename="a  X-Own: 1.json"'
