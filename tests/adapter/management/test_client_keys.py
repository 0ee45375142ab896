"""Client keys of a stock gateway that keeps in memory what it could not save, or loses what it has saved."""

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import pytest
from aiohttp import web

from adapter.management import ManagementConnection
from adapter.port import errors
from adapter.privacy.secret import Secret
from tests.adapter.management.hasty_clock import HastyClock
from tests.adapter.management.stand_in import CPA, KEY, PREFIX, Place, StandIn, broken

OLD, NEW = Secret("sk-client-old-0123456789"), Secret("sk-client-new-0123456789")


@dataclass
class Keys:
    """Client keys of a gateway: in its memory and its file, and how it answers writes."""

    memory: list[str]
    file: list[str]
    saves: bool = True
    answers: bool = True
    writes: list[list[str]] = field(default_factory=list)

    async def __call__(self, request: web.Request) -> web.StreamResponse | None:
        if request.path == f"{PREFIX}/config.yaml":
            return web.Response(text=json.dumps({"api-keys": self.file}), headers=CPA)
        if request.path != f"{PREFIX}/api-keys":
            return None
        if request.method == "PUT":
            self.memory = await request.json()
            self.writes.append(self.memory)
            if not self.saves:
                return web.json_response({"error": "failed to save config: permission denied"}, status=500, headers=CPA)
            self.file = self.memory
            if not self.answers:
                return await broken(request)
        return web.json_response({"api-keys": self.memory}, headers=CPA)


@pytest.fixture
def keys(stand_in: StandIn) -> Keys:
    stand_in.sections = {name: [] for name in stand_in.sections}
    stand_in.reload()
    made = Keys([OLD.reveal()], [OLD.reveal()])
    stand_in.before = made
    return made


@pytest.fixture
async def hasty(place: Place) -> AsyncIterator[ManagementConnection]:
    opened = ManagementConnection(place.address, Secret(KEY), HastyClock())
    yield opened
    await opened.close()


async def test_a_list_that_was_not_saved_is_taken_out_of_the_memory(keys: Keys, hasty: ManagementConnection) -> None:
    keys.saves = False
    with pytest.raises(errors.Rejected, match="could not save") as refused:
        await hasty.gateway.replace_client_keys([OLD, NEW], [OLD])
    assert (refused.value.code, refused.value.applied) == ("not_saved", "no")
    assert keys.memory == keys.file == [OLD.reveal()]


async def test_a_write_whose_answer_was_lost_is_read_back_and_not_repeated(
    keys: Keys, hasty: ManagementConnection
) -> None:
    keys.answers = False
    await hasty.gateway.replace_client_keys([OLD, NEW], [OLD])
    assert keys.writes == [[OLD.reveal(), NEW.reveal()]]
    assert await hasty.gateway.client_keys() == (OLD, NEW)


async def test_keys_of_another_client_are_not_overwritten(keys: Keys, hasty: ManagementConnection) -> None:
    keys.memory.append("sk-of-somebody-else-0123")
    with pytest.raises(errors.ConflictError):
        await hasty.gateway.replace_client_keys([OLD, NEW], [OLD])
    assert keys.writes == []
