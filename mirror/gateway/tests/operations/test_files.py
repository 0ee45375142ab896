from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from gateway.internal.operations.files import DeleteResult, delete_all, delete_files, is_unsafe
from tests.operations.gateways import Bench, running


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncIterator[Bench]:
    async with running(tmp_path) as bench:
        bench.add_file("a.json")
        bench.add_file("b.json")
        await bench.runtime.reload()
        yield bench


async def test_a_file_is_gone_from_disk_and_pool_when_the_call_returns(bench: Bench) -> None:
    assert await delete_files(bench.runtime, ["a.json"]) == (DeleteResult("a.json"),)
    assert not (bench.auths / "a.json").exists()
    assert bench.runtime.snapshot.by_id("a.json") is None


async def test_one_that_is_absent_does_not_stop_the_others(bench: Bench) -> None:
    results = await delete_files(bench.runtime, ["c.json", "a.json"])
    assert [(each.status, each.error) for each in results] == [(404, "auth file not found"), (200, "")]


async def test_a_configured_key_is_refused_by_any_of_its_names(bench: Bench) -> None:
    before = bench.config.read_text()
    key = bench.runtime.snapshot.credentials[0]
    dark = bench.runtime.snapshot.dormant[0]
    for name in (key.id, key.auth_index, dark.id):
        (result,) = await delete_files(bench.runtime, [name])
        assert result.status == 409
        assert "is an API key in config.yaml" in result.error
    assert bench.config.read_text() == before


async def test_the_stock_profile_does_not_find_a_configured_key(tmp_path: Path) -> None:
    async with running(tmp_path, extra="management-profile: stock\n") as bench:
        (result,) = await delete_files(bench.runtime, [bench.runtime.snapshot.credentials[0].id])
        assert (result.status, result.error) == (404, "auth file not found")


async def test_a_file_that_is_no_credential_can_be_deleted_too(bench: Bench) -> None:
    (bench.auths / "odd.json").write_text("{")
    assert (await delete_files(bench.runtime, ["odd.json"]))[0].status == 200


async def test_all_means_every_json_file_and_nothing_else(bench: Bench) -> None:
    (bench.auths / "odd.json").write_text("{")
    (bench.auths / "notes.txt").write_text("mine")
    assert await delete_all(bench.runtime) == 3
    assert [path.name for path in bench.auths.iterdir()] == ["notes.txt"]


@pytest.mark.parametrize("name", ["", " ", "..", "a/b.json", "..\\x", "C:x.json", "a\0b"])
async def test_a_name_that_could_lead_elsewhere_is_refused(bench: Bench, name: str) -> None:
    assert is_unsafe(name.strip())
    assert (await delete_files(bench.runtime, [name]))[0] == DeleteResult(name.strip(), 400, "invalid name")


async def test_a_file_that_cannot_be_removed_is_reported(bench: Bench) -> None:
    (bench.auths / "dir.json").mkdir()
    (result,) = await delete_files(bench.runtime, ["dir.json"])
    assert result.status == 500
    assert result.error.startswith("failed to remove file: ")
