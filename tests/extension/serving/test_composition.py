"""Putting the service together: what fails before anything listens, and what is let go then."""

from pathlib import Path

import pytest

from adapter.fake import FakeConnection
from extension.serving.composition import compose
from extension.serving.errors import SettingInvalid
from extension.store.data_folder import DataFolder
from extension.store.errors import DataFolderInUse, DataFolderUnusable
from tests.extension.running_service import KEY, OWN, gateway_of_two, running


def test_a_setting_that_is_unknown_stops_it_before_a_folder_is_made(tmp_path: Path) -> None:
    with pytest.raises(SettingInvalid):
        compose(FakeConnection(), {"POOLKEEPER_DATA_DIR": str(tmp_path / "data"), "POOLKEEPER_SPEED": "5"})

    assert not (tmp_path / "data").exists()


def test_a_data_folder_that_cannot_be_made_stops_a_command_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")

    with pytest.raises(DataFolderUnusable):
        compose(FakeConnection(), {"POOLKEEPER_DATA_DIR": str(tmp_path / "file" / "data")}, schedules=False)


def test_without_a_data_folder_named_it_is_the_users_state_folder(tmp_path: Path) -> None:
    compose(FakeConnection(), {"XDG_STATE_HOME": str(tmp_path)})

    assert (tmp_path / "poolkeeper" / "secret.key").exists()
    with pytest.raises(DataFolderInUse):
        compose(FakeConnection(), {"XDG_STATE_HOME": str(tmp_path)})


def test_a_folder_is_let_go_when_the_connection_cannot_be_bound(tmp_path: Path) -> None:
    connection = FakeConnection()
    connection.gateway.bind(b"the key of another installation!")

    with pytest.raises(ValueError, match="key"):
        compose(connection, {"POOLKEEPER_DATA_DIR": str(tmp_path / "data")})

    DataFolder.open(tmp_path / "data").close()


async def test_everything_is_let_go_at_the_end_and_there_again_after_a_restart(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    async with running(folder) as service:
        run = await service.finished_run({"X-Management-Key": KEY})

    async with running(folder, gateway_of_two()) as service:
        again = await service.get(f"{OWN}/inspections?run={run}", headers={"X-Management-Key": KEY})

        assert again.json["runs"][0]["state"] == "finished"
