"""Log of a probe."""

import json
from pathlib import Path
from typing import Any

import pytest

from adapter.fake import FakeGateway, reply, silent
from adapter.fake.upstream import Reply
from tests.extension.engine.scenario import compat_config, honest, inspected, key_of, opened, settings

BODY = json.dumps({"data": [], "note": "a body worth a line"})


async def logged(path: Path, answer: Reply, capsys: pytest.CaptureFixture[str], **given: Any) -> dict[str, Any]:
    """Probe one account and return its line of the log."""
    gateway = FakeGateway(compat_config(["alpha"]))
    gateway.upstream = honest(lambda _: answer)
    async with opened(path, gateway) as inspector:
        await inspected(inspector, settings(retries=0, **given))
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines() if line.startswith("{")]
    (line,) = [line for line in lines if line["event"] == "probe"]
    return dict(line)


async def test_the_log_of_a_200_has_no_body(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = await logged(tmp_path, reply(200, BODY), capsys)

    assert (line["status"], line["verdict"]) == (200, "healthy")
    assert "preview" not in line
    assert "worth a line" not in json.dumps(line)


@pytest.mark.parametrize("status", [201, 302, 401, 403, 429, 500])
async def test_the_log_of_any_other_status_has_a_shortened_preview(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], status: int
) -> None:
    line = await logged(tmp_path, reply(status, BODY + "x" * 5000), capsys, previewCharacters=40)

    assert line["status"] == status
    assert line["preview"].startswith(BODY[:30])
    assert len(line["preview"]) <= 41


async def test_the_log_of_a_timeout_says_what_happened(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = await logged(tmp_path, silent(), capsys)

    assert (line["status"], line["verdict"]) == (0, "unreachable")
    assert line["preview"]


async def test_the_log_never_holds_the_key_even_where_the_upstream_repeats_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    key = key_of("alpha")
    line = await logged(tmp_path, reply(401, json.dumps({"error": f"no such key: {key}"})), capsys)

    assert line["preview"] == "Not shown: the answer may repeat a key."
    assert all(key[at : at + 5] not in json.dumps(line["preview"]) for at in range(len(key) - 4))
