"""A stock gateway on a full disk stores the beginning of a file, and refuses the rest."""

import pytest
from aiohttp import web

from adapter.management import ManagementConnection
from adapter.port import FileRef, errors
from adapter.privacy.secret import Secret
from tests.adapter.management.stand_in import CPA, PREFIX, StandIn

FILE = FileRef("claude-a@b.c.json")
CONTENT = Secret('{"type": "claude", "access_token": "token-0123456789"}')


class Disk:
    """Auth files of a gateway with room for so many bytes each."""

    def __init__(self, room: int, *, admits: bool) -> None:
        self.files: dict[str, bytes] = {}
        self._room = room
        self._admits = admits

    async def __call__(self, request: web.Request) -> web.StreamResponse | None:
        name = request.query.get("name", "")
        if request.path == f"{PREFIX}/auth-files/download":
            is_stored = name in self.files
            return web.Response(body=self.files.get(name, b""), status=200 if is_stored else 404, headers=CPA)
        if request.path != f"{PREFIX}/auth-files" or request.method == "GET":
            return None
        if request.method == "DELETE":
            del self.files[name]
        else:
            self.files[name] = (await request.read())[: self._room]
            if not self._admits:
                return web.json_response({"error": "no space left on device"}, status=500, headers=CPA)
        return web.json_response({"status": "ok"}, headers=CPA)


@pytest.mark.parametrize("admits", [True, False])
@pytest.mark.parametrize("room", [0, 20])
async def test_a_part_of_a_restored_file_is_removed(
    connection: ManagementConnection, stand_in: StandIn, room: int, admits: bool
) -> None:
    stand_in.before = disk = Disk(room, admits=admits)
    with pytest.raises(errors.Unavailable, match="a part of the file") as caught:
        await connection.gateway.restore_file(FILE, CONTENT)
    assert (caught.value.applied, disk.files) == ("no", {})


async def test_a_whole_file_stays_though_the_gateway_tells_trouble(
    connection: ManagementConnection, stand_in: StandIn
) -> None:
    stand_in.before = disk = Disk(1_000, admits=False)
    with pytest.raises(errors.GatewayError) as caught:
        await connection.gateway.restore_file(FILE, CONTENT)
    assert caught.value.applied != "no"
    assert disk.files == {FILE.name: CONTENT.reveal().encode()}
