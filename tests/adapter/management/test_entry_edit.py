"""Edit of an entry of a stock gateway that merges the headers it is written with those of its file (v7.2.140)."""

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from aiohttp import web

from adapter.management import ManagementConnection
from adapter.port import Account, Entry, KeyRef, Section, errors
from adapter.privacy.secret import Secret
from tests.adapter.management.hasty_clock import HastyClock
from tests.adapter.management.stand_in import KEY, Place, StandIn, claude
from tests.contract.pool import key_of

CLAUDE = "claude-api-key"
HEADERS = {"X-A": "1", "X-B": "2"}


class MergingFile:
    """File of the stand-in, into which each write merges the headers; `refused` writes are answered 500."""

    def __init__(self, stand_in: StandIn) -> None:
        self._stand_in = stand_in
        self._stored: list[dict[str, Any]] = [dict(entry) for entry in stand_in.sections[CLAUDE]]
        self.writes = 0
        self.refused: set[int] = set()
        stand_in.before, stand_in.applied = self.refuse, self.merge

    async def refuse(self, request: web.Request) -> web.StreamResponse | None:
        if request.method != "PUT":
            return None
        self.writes += 1
        return web.json_response({"error": "disk full"}, status=500) if self.writes in self.refused else None

    async def merge(self, request: web.Request) -> None:
        if request.method == "PUT" and self.writes not in self.refused:
            for entry, stored in zip(self._stand_in.sections[CLAUDE], self._stored, strict=True):
                if entry.get("headers"):
                    entry["headers"] = {**stored.get("headers", {}), **entry["headers"]}
            self._stored = [dict(entry) for entry in self._stand_in.sections[CLAUDE]]


@pytest.fixture
def merging(stand_in: StandIn) -> MergingFile:
    stand_in.sections[CLAUDE][1]["headers"] = dict(HEADERS)
    stand_in.reload()
    return MergingFile(stand_in)


@pytest.fixture
async def hasty(place: Place) -> AsyncIterator[ManagementConnection]:
    connection = ManagementConnection(place.address, Secret(KEY), HastyClock())
    connection.bind(bytes(range(32)))
    yield connection
    await connection.close()


async def edit(connection: ManagementConnection, account: Account, **fields: Any) -> None:
    assert isinstance(account.ref, KeyRef)
    await connection.gateway.edit_entry(account.ref, account.revision, Entry(Secret(json.dumps(fields))))


@pytest.mark.parametrize(
    ("headers", "writes"), [({"X-B": "2"}, 2), ({"X-C": "3"}, 2), ({**HEADERS, "X-C": "3"}, 1), (None, 1)]
)
async def test_removed_headers_do_not_come_back(
    stand_in: StandIn, merging: MergingFile, hasty: ManagementConnection, headers: dict[str, str] | None, writes: int
) -> None:
    account = key_of(await hasty.gateway.accounts(), Section.CLAUDE, 1)
    await edit(hasty, account, headers=headers, priority=3)
    entry = stand_in.sections[CLAUDE][1]
    assert (entry.get("headers"), entry["priority"], merging.writes) == (headers, 3, writes)
    assert [entry["api-key"] for entry in stand_in.sections[CLAUDE]] == [claude(n)["api-key"] for n in range(3)]


@pytest.mark.parametrize(
    ("refused", "expected"), [({1}, ("no", HEADERS)), ({2}, ("no", HEADERS)), ({2, 3}, ("maybe", None))]
)
async def test_headers_stay_or_come_back_when_a_write_fails(
    stand_in: StandIn,
    merging: MergingFile,
    hasty: ManagementConnection,
    refused: set[int],
    expected: tuple[str, dict[str, str] | None],
) -> None:
    merging.refused = refused
    account = key_of(await hasty.gateway.accounts(), Section.CLAUDE, 1)
    with pytest.raises(errors.GatewayError) as failure:
        await edit(hasty, account, headers={"X-B": "2"})
    assert (failure.value.applied, stand_in.sections[CLAUDE][1].get("headers")) == expected
