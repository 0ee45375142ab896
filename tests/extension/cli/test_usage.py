"""Usage in the terminal: shown, written out, and taken in by another service."""

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from adapter.clock import SystemClock
from adapter.rules.usage_record import usage_records
from extension.cli.usage import parts
from tests.extension.cli.command_line import poolkeeper
from tests.extension.running_service import KEY, Running, gateway_of_two, running
from tests.extension.usage.samples import record


def arguments(service: Running) -> tuple[str, str]:
    return "--server", service.address


def test_a_file_is_taken_in_by_parts_of_whole_lines_within_the_limit() -> None:
    lines = [b"%d\n" % number for number in range(1_000)]

    file_parts = list(parts(lines, 100))

    assert b"".join(file_parts) == b"".join(lines)
    assert all(len(part) <= 100 and part.endswith(b"\n") for part in file_parts)
    assert list(parts([b"x" * 200, b"y"], 100)) == [b"x" * 200, b"y"]


async def test_usage_is_shown_exported_and_imported_elsewhere(service: Running, tmp_path: Path) -> None:
    environment = {"POOLKEEPER_MANAGEMENT_KEY": KEY}
    headers = await service.log_in()
    await service.post("/v0/management/usage/collection", headers=headers, json={"recording": True})
    now = datetime.fromtimestamp(SystemClock().now_ms() / 1000, UTC)
    for number in range(3):
        raw = record(timestamp=now.isoformat(), request_id=f"{number:x}", model=f"model-{number % 2}")
        (found,) = usage_records([raw])
        service.gateway.usage.spend(replace(found, raw=raw))
    after = 0
    while after < 3:
        page = await service.get(f"/v0/management/usage/stream?after={after}", headers=headers)
        after = page.json["next"]

    top = await poolkeeper("usage", "top", *arguments(service), **environment)
    summed = await poolkeeper("usage", "summary", "--zone", "-03:30", *arguments(service), **environment)
    exported = await poolkeeper("usage", "export", *arguments(service), **environment)

    assert (top.status, top.out.splitlines()[1].split()) == (0, ["model-0", "2", "0", "84", "unknown"])
    assert summed.out.splitlines()[-1].split() == ["Total", "3", "0", "126", "unknown"]
    file = tmp_path / "usage.jsonl"
    file.write_text(exported.out, encoding="utf-8")
    async with running(tmp_path / "elsewhere", gateway_of_two()) as other:
        taken = await poolkeeper("usage", "import", str(file), "--json", *arguments(other), **environment)
        assert json.loads(taken.out) == {"stored": 3, "duplicates": 0, "tooOld": 0}
        again = await poolkeeper("usage", "import", str(file), *arguments(other), **environment)
        assert again.out == "0 events imported, 3 stored before.\n"
