import asyncio
import json
import sys
from pathlib import Path

import pytest

from extension.plugin.install.library import native_library
from tests.stock.plugin.stock import child_command

pytestmark = pytest.mark.timeout(120)
LOADER = Path(__file__).with_name("loader.py")


@pytest.mark.parametrize(("offered", "answered", "raw"), [(1, 1, False), (3, 3, False), (6, 6, True), (9, 6, True)])
async def test_the_process_learns_whether_the_gateway_leaves_json_alone(
    tmp_path: Path, offered: int, answered: int, *, raw: bool
) -> None:
    settings = json.dumps({"command": child_command(tmp_path)})
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        str(LOADER),
        str(native_library()),
        str(offered),
        settings,
        cwd=tmp_path,
        stdout=asyncio.subprocess.PIPE,
    )
    output, _ = await process.communicate()

    assert process.returncode == 0
    registered, answer = map(json.loads, output.splitlines())
    assert registered["schema_version"] == answered
    assert answer["StatusCode"] == 200
    (note,) = (json.loads(line) for line in (tmp_path / "configured.jsonl").read_text("utf-8").splitlines())
    assert ("raw-json" in note["capabilities"]) is raw
    assert note["schema"] == offered
