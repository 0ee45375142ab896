"""Access an edit of config.yaml takes away."""

from pathlib import Path

import pytest

from gateway.internal.operations.admission import Admitted, Denied, admit
from tests.management.serving import HASH, KEY, gateway, secured

DEBUG = "/v0/management/debug"


async def test_a_changed_management_key_ends_the_old_one_before_the_reload(tmp_path: Path) -> None:
    async with gateway(tmp_path, secured(tmp_path)) as served:
        assert (await served.request("GET", DEBUG)).status == 200
        path = served.runtime.config_path
        path.write_text(path.read_text().replace(HASH, "another one"))
        await served.runtime.take_away()
        old = await admit(served.runtime, {"x-management-key": KEY}, "127.0.0.1")
        assert isinstance(old, Denied)
        new = await admit(served.runtime, {"x-management-key": "another one"}, "127.0.0.1")
        assert isinstance(new, Admitted)
        await served.runtime.reload()
        assert (await served.request("GET", DEBUG, headers={"X-Management-Key": "another one"})).status == 200


async def test_the_key_in_use_written_in_place_of_its_hash_goes_on_without_a_failure(tmp_path: Path) -> None:
    async with gateway(tmp_path, secured(tmp_path)) as served:
        path = served.runtime.config_path
        for _ in range(6):  # five failures would ban the address
            path.write_text(path.read_text().replace(HASH, KEY))
            await served.runtime.take_away()
            assert isinstance(await admit(served.runtime, {"x-management-key": KEY}, "127.0.0.1"), Admitted)
            wrong = await admit(served.runtime, {"x-management-key": HASH}, "198.51.100.7")
            assert isinstance(wrong, Denied)
            await served.runtime.reload()
            path.write_text(path.read_text().replace(served.runtime.configuration.management.secret_key, HASH))
            await served.runtime.reload()
        assert (await served.request("GET", DEBUG)).status == 200


async def test_a_client_key_that_goes_is_refused_before_the_reload(tmp_path: Path) -> None:
    async with gateway(tmp_path, secured(tmp_path, "api-keys: [one, two]\n")) as served:
        path = served.runtime.config_path
        path.write_text(path.read_text().replace("[one, two]", "[two, three]"))
        await served.runtime.take_away()
        seen = [
            (await served.request("GET", "/v1/models", headers={"Authorization": f"Bearer {key}"})).status
            for key in ("one", "two", "three")
        ]
        await served.runtime.reload()
        after = (await served.request("GET", "/v1/models", headers={"Authorization": "Bearer three"})).status
    assert (seen, after) == ([401, 200, 401], 200)


async def test_an_edit_that_is_taken_back_gives_the_access_back(tmp_path: Path) -> None:
    async with gateway(tmp_path, secured(tmp_path)) as served:
        path = served.runtime.config_path
        before = path.read_text()
        path.write_text(before.replace(HASH, ""))
        await served.runtime.take_away()
        gone = await served.request("GET", DEBUG)
        path.write_text(before)
        await served.runtime.reload()
        back = await served.request("GET", DEBUG)
    assert (gone.status, back.status) == (404, 200)


@pytest.mark.parametrize("text", ["", "# only a comment\n", "a: [\n", "port: many\n", "{}\n"])
async def test_a_file_that_is_not_usable_takes_nothing_away(tmp_path: Path, text: str) -> None:
    async with gateway(tmp_path, secured(tmp_path, "api-keys: [one]\n")) as served:
        before = served.runtime.configuration
        served.runtime.config_path.write_text(text)
        await served.runtime.take_away()
        assert served.runtime.configuration is before
        await served.runtime.reload()
        assert served.runtime.configuration is before
