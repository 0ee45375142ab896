from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from gateway.internal.operations.files import DeleteResult, delete_files, is_unsafe
from tests.operations.gateways import Bench, running


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncIterator[Bench]:
    async with running(tmp_path) as bench:
        bench.add_file("a.json")
        bench.add_file("b.json")
        await bench.runtime.reload()
        yield bench


async def test_a_configured_key_is_refused_by_any_of_its_names(bench: Bench) -> None:
    before = bench.config.read_text()
    key = bench.runtime.snapshot.credentials[0]
    dark = bench.runtime.snapshot.dormant[0]
    for name in (key.id, key.auth_index, dark.id):
        (result,) = await delete_files(bench.runtime, [name])
        assert result.status == 409
        assert "is an API key in config.yaml" in result.error
    assert bench.config.read_text() == before


@pytest.mark.parametrize("name", ["", " ", "..", "a/b.json", "..\\x", "C:x.json", "a\0b"])
async def test_a_name_that_could_lead_elsewhere_is_refused(bench: Bench, name: str) -> None:
    assert is_unsafe(name.strip())
    assert (await delete_files(bench.runtime, [name]))[0] == DeleteResult(name.strip(), 400, "invalid name")


async def test_a_file_that_cannot_be_removed_is_reported(bench: Bench) -> None:
    (bench.auths / "dir.json").mkdir()
    (result,) = await delete_files(bench.runtime, ["dir.json"])
    assert result.status == 500
    assert result.error.startswith("failed to remove file: ")
