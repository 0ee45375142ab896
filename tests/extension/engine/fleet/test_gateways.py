"""Gateways as data: tested before they are stored, sealed, and left alone once they have refused a key."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from adapter.port.errors import GatewayError, Unauthorised
from adapter.privacy.secret import Redactor, Secret
from extension.engine.errors import EngineError
from extension.engine.fleet.errors import GatewayFieldUnfit, GatewayTaken, GatewayUnknown, KeyRefusedBefore
from extension.engine.fleet.gateways import Gateways
from extension.engine.fleet.keys import GatewayKeys
from extension.engine.fleet.orders import GatewayChange, GatewayOrder
from extension.serving.fleet.connector import ManagementConnector
from extension.store.archive.archives import back_up
from extension.store.data_folder import DataFolder
from extension.store.database.database import Database
from extension.store.errors import DataFolderUnusable, SealBroken
from extension.store.fleet import gateways
from extension.store.fleet.gateways import GatewayState
from extension.store.sealing import Seal
from tests.adapter.management.stand_in import KEY, StandIn, claude, standing
from tests.extension.engine.scenario import FlyingClock

OTHER = "another management key"
VARIABLE = "GATEWAY_KEY_EAST"


@dataclass
class House:
    """A fleet over stand-ins: its service, keys and database."""

    fleet: Gateways
    keys: GatewayKeys
    database: Database
    folder: Path
    stand_ins: list[StandIn]
    urls: list[str]
    environment: dict[str, str]

    def order(self, name: str = "east", place: int = 0, key: str = KEY) -> GatewayOrder:
        return GatewayOrder(name, self.urls[place], Secret(key), labels={"team": "blue"})


@asynccontextmanager
async def house(path: Path, count: int = 2) -> AsyncIterator[House]:
    async with AsyncExitStack() as opened:
        stand_ins, urls = [], []
        for place in range(count):
            stand_in = StandIn()
            stand_in.sections["claude-api-key"] = [claude(number) for number in range(place + 1)]
            stand_in.reload()
            stand_ins.append(stand_in)
            urls.append((await opened.enter_async_context(standing(stand_in))).address)
        folder = opened.enter_context(DataFolder.open(path / "data"))
        (folder.path / "secret.key").write_text(bytes(32).hex())
        database = await Database.open(folder)
        opened.push_async_callback(database.close)
        environment: dict[str, str] = {}
        seal = Seal.of_file(folder.path / "fleet.key", make=True, private=True)
        keys = GatewayKeys(seal, environment, [folder.path / "keys"])
        fleet = Gateways(database, FlyingClock(), Redactor(), keys, ManagementConnector(bytes(32)))
        yield House(fleet, keys, database, folder.path, stand_ins, urls, environment)


async def test_a_gateway_is_tested_then_stored_with_its_key_sealed(tmp_path: Path) -> None:
    async with house(tmp_path) as fleet:
        record, test = await fleet.fleet.add(fleet.order(place=1), "anna")
        assert (test.release, test.accounts, test.enabled, test.hashed_key) == ("7.2.140", 2, 2, False)
        assert (record.state, record.added_by, record.labels) == (GatewayState.SERVED, "anna", {"team": "blue"})
        assert await fleet.fleet.all() == (record,)
        assert fleet.keys.of(record).reveal() == KEY
        assert KEY.encode() not in (record.key_sealed or b"")
        assert "key_sealed" not in repr(record)


async def test_a_row_that_is_moved_to_another_url_or_number_does_not_open(tmp_path: Path) -> None:
    async with house(tmp_path) as fleet:
        record, _ = await fleet.fleet.add(fleet.order(), "anna")
        for moved in (replace(record, url="http://127.0.0.1:1"), replace(record, pool_id=77)):
            with pytest.raises(SealBroken, match="does not open"):
                fleet.keys.of(moved)
        with pytest.raises(SealBroken):
            GatewayKeys(Seal(bytes(32)), {}, []).of(record)


async def test_a_test_that_fails_stores_nothing_and_is_one_try(tmp_path: Path) -> None:
    async with house(tmp_path) as fleet:
        with pytest.raises(Unauthorised):
            await fleet.fleet.add(fleet.order(key=OTHER), "anna")
        assert fleet.stand_ins[0].failures == 1
        with pytest.raises(GatewayError):
            await fleet.fleet.add(GatewayOrder("away", "http://127.0.0.1:9", Secret(KEY)), "anna")
        assert await fleet.fleet.all() == ()


async def test_a_refused_key_is_tried_once_and_not_again_until_it_is_changed(tmp_path: Path) -> None:
    async with house(tmp_path) as fleet:
        await fleet.fleet.add(fleet.order(), "anna")
        fleet.stand_ins[0].key = OTHER
        with pytest.raises(Unauthorised):
            await fleet.fleet.test("east")
        for _ in range(5):
            with pytest.raises(KeyRefusedBefore):
                await fleet.fleet.test("east")
        with pytest.raises(KeyRefusedBefore):
            await fleet.fleet.edit("east", GatewayChange(key=Secret(KEY)))
        assert fleet.stand_ins[0].failures == 1
        (record,) = await fleet.fleet.all()
        assert record.state is GatewayState.KEY_REFUSED

        changed = await fleet.fleet.edit("east", GatewayChange(key=Secret(OTHER)))
        assert (changed.state, changed.refused_mark, changed.revision) == (GatewayState.SERVED, "", record.revision + 1)
        assert fleet.keys.of(changed).reveal() == OTHER


async def test_another_url_needs_the_key_again(tmp_path: Path) -> None:
    async with house(tmp_path) as fleet:
        await fleet.fleet.add(fleet.order(), "anna")
        with pytest.raises(GatewayFieldUnfit, match="needs the management key again"):
            await fleet.fleet.edit("east", GatewayChange(url=fleet.urls[1]))
        moved = await fleet.fleet.edit("east", GatewayChange(url=fleet.urls[1], key=Secret(KEY)))
        assert (moved.url, fleet.keys.of(moved).reveal()) == (fleet.urls[1], KEY)


async def test_names_and_urls_are_taken_once(tmp_path: Path) -> None:
    async with house(tmp_path) as fleet:
        await fleet.fleet.add(fleet.order(), "anna")
        for taken in (fleet.order(place=1), fleet.order("west")):
            with pytest.raises(GatewayTaken):
                await fleet.fleet.add(taken, "anna")
        with pytest.raises(GatewayUnknown) as caught:
            await fleet.fleet.remove("west")
        assert "east" in caught.value.hint


@pytest.mark.parametrize(
    ("field", "order"),
    [
        ("url", GatewayOrder("east", "ftp://host", Secret(KEY))),
        ("url", GatewayOrder("east", "http://user:word@host", Secret(KEY))),
        ("url", GatewayOrder("east", "http://169.254.169.254", Secret(KEY))),
        ("name", GatewayOrder("East Side", "http://127.0.0.1:9", Secret(KEY))),
        ("key", GatewayOrder("east", "http://127.0.0.1:9")),
        ("key", GatewayOrder("east", "http://127.0.0.1:9", Secret(KEY), f"env:{VARIABLE}")),
        ("labels", GatewayOrder("east", "http://127.0.0.1:9", Secret(KEY), labels={"a b": "c"})),
        ("keyRef", GatewayOrder("east", "http://127.0.0.1:9", key_ref="env:HOME")),
        ("keyRef", GatewayOrder("east", "http://127.0.0.1:9", key_ref="env:GATEWAY_KEY_MISSING")),
        ("keyRef", GatewayOrder("east", "http://127.0.0.1:9", key_ref="file:/etc/hostname")),
        ("key", GatewayOrder("east", "http://127.0.0.1:9", Secret(KEY), ca="no certificate")),
    ],
)
async def test_a_field_that_cannot_be_used_is_named_and_nothing_is_sent(
    tmp_path: Path, field: str, order: GatewayOrder
) -> None:
    async with house(tmp_path, 0) as fleet:
        with pytest.raises(GatewayFieldUnfit) as caught:
            await fleet.fleet.add(order, "anna")
        assert caught.value.field == field
        assert KEY not in f"{caught.value} {caught.value.hint}"
        assert await fleet.fleet.all() == ()


async def test_a_reference_leads_to_a_key_of_this_machine_and_is_all_that_is_stored(tmp_path: Path) -> None:
    async with house(tmp_path) as fleet:
        fleet.environment[VARIABLE] = KEY.replace(" ", "-")
        fleet.stand_ins[0].key = fleet.stand_ins[1].key = KEY.replace(" ", "-")
        (fleet.folder / "keys").mkdir()
        (fleet.folder / "keys" / "west").write_text(f"{fleet.stand_ins[1].key}\n")
        (fleet.folder / "keys" / "out").symlink_to(fleet.folder / "secret.key")
        east, _ = await fleet.fleet.add(GatewayOrder("east", fleet.urls[0], key_ref=f"env:{VARIABLE}"), "anna")
        place = f"file:{fleet.folder / 'keys' / 'west'}"
        west, _ = await fleet.fleet.add(GatewayOrder("west", fleet.urls[1], key_ref=place), "anna")
        assert (east.key_sealed, west.key_sealed) == (None, None)
        for outside in ("out", "../fleet.key"):
            with pytest.raises(GatewayFieldUnfit):
                fleet.keys.referred(f"file:{fleet.folder / 'keys' / outside}")


async def test_an_import_brings_the_fleet_to_the_state_of_the_file(tmp_path: Path) -> None:
    async with house(tmp_path, 3) as fleet:
        await fleet.fleet.add(fleet.order("old", 2), "anna")
        asked = len(fleet.stand_ins[0].requests)
        orders = (fleet.order(), replace(fleet.order("west", 1), key=Secret(OTHER)))

        planned = await fleet.fleet.import_all(orders, "anna", dry_run=True, prune=True)
        assert [(row.name, row.change) for row in planned] == [("east", "add"), ("west", "add"), ("old", "remove")]
        assert len(fleet.stand_ins[0].requests) == asked
        assert [record.name for record in await fleet.fleet.all()] == ["old"]

        done = await fleet.fleet.import_all(orders, "anna", dry_run=False, prune=True)
        assert [(row.name, row.change) for row in done] == [("east", "add"), ("west", "refused"), ("old", "remove")]
        assert isinstance(done[1].error, Unauthorised)
        assert [record.name for record in await fleet.fleet.all()] == ["east"]

        again = (replace(fleet.order(), labels={"team": "red"}),)
        assert [row.change for row in await fleet.fleet.import_all(again, "a", dry_run=False, prune=False)] == ["edit"]
        assert [row.change for row in await fleet.fleet.import_all(again, "a", dry_run=False, prune=False)] == [
            "unchanged"
        ]


async def test_keys_are_in_no_error_and_no_backup(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said, keys = "", ("k3y-of-east-5c1f", "k3y-of-west-77d0")
    async with house(tmp_path) as fleet:
        fleet.stand_ins[0].key = keys[0]
        await fleet.fleet.add(fleet.order(key=keys[0]), "anna")
        for place, key in enumerate(keys):
            try:
                await fleet.fleet.add(fleet.order("west", place, key), "anna")
            except (EngineError, GatewayError) as error:
                said += f"{error} {error!r}"
        back_up(fleet.folder, None, tmp_path / "backup.tar", now=1)
        (fleet_key,) = (fleet.folder / "fleet.key").read_text().split()
        rows = str(await fleet.database.read(gateways.every))
    backup = (tmp_path / "backup.tar").read_bytes()
    assert "GatewayTaken" in said
    assert "Unauthorised" in said
    for secret in keys:
        assert secret not in said + rows + capsys.readouterr().out
        assert secret.encode() not in backup
    assert fleet_key.encode() not in backup
    assert bytes.fromhex(fleet_key) not in backup


@pytest.mark.parametrize(("content", "mode"), [(None, 0), ("zz", 0o600), (bytes(32).hex(), 0o644)])
def test_a_key_file_that_is_missing_damaged_or_open_is_refused(tmp_path: Path, content: str | None, mode: int) -> None:
    path = tmp_path / "fleet.key"
    if content is not None:
        path.write_text(content)
        path.chmod(mode)
    with pytest.raises(DataFolderUnusable, match=r"fleet\.key"):
        Seal.of_file(path, private=True)
