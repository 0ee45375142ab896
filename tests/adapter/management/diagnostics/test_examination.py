"""Examination of a gateway: the proof of its ids, and the cost of a real call."""

import json

import pytest
from aiohttp import web

from adapter.management import ManagementConnection
from adapter.management.diagnostics.call_cost import CallCost, IdProof
from adapter.management.diagnostics.examination import examine
from tests.adapter.management.stand_in import CPA, StandIn, claude


@pytest.mark.parametrize("version", ["7.2.100", "7.2.140"])
async def test_the_ids_of_a_release_are_proven_by_a_read(
    stand_in: StandIn, connection: ManagementConnection, version: str
) -> None:
    stand_in.version = {"X-CPA-VERSION": version}
    stand_in.sections["claude-api-key"] = [claude(0, prefix="team")]
    stand_in.reload()
    examination = await examine(connection)
    assert examination.ids is IdProof.PROVEN
    assert stand_in.wrote() == ["PATCH /v0/management/auth-files/status"]


async def test_ids_the_gateway_does_not_know_are_a_hint(stand_in: StandIn, connection: ManagementConnection) -> None:
    async def empty(request: web.Request) -> web.StreamResponse | None:
        models = request.path.endswith("auth-files/models")
        return web.json_response({"models": []}, headers=CPA) if models else None

    stand_in.before = empty
    examination = await examine(connection)
    assert examination.ids is IdProof.REFUTED
    assert "unknown_ids" in [hint.code for hint in examination.hints]


async def test_without_an_enabled_key_nothing_is_proven(stand_in: StandIn, connection: ManagementConnection) -> None:
    stand_in.sections["claude-api-key"] = []
    stand_in.reload()
    assert (await examine(connection)).ids is IdProof.OPEN


async def test_the_cost_is_that_of_a_real_call_to_a_closed_port_without_a_credential(
    stand_in: StandIn, connection: ManagementConnection
) -> None:
    examination = await examine(connection)
    assert examination.cost is not None
    assert examination.cost.seconds > 0
    assert {call["url"] for call in stand_in.answers} == {"http://127.0.0.1:9/"}
    assert "$TOKEN$" not in json.dumps(stand_in.answers)


def test_a_run_takes_as_long_as_the_rate_allows() -> None:
    assert CallCost(0.1, 25.0).run_seconds(10_000) == 400


async def test_fields_of_the_file_the_gateway_does_not_show_are_a_hint(
    stand_in: StandIn, connection: ManagementConnection
) -> None:
    stand_in.text = json.dumps({"claude-api-key": [claude(0, weight=3)]})
    examination = await examine(connection)
    assert "dropped_fields" in [hint.code for hint in examination.hints]


async def test_the_queue_comes_with_a_word_about_other_programs_that_pop(
    stand_in: StandIn, connection: ManagementConnection
) -> None:
    examination = await examine(connection)
    (note,) = (endpoint.note for endpoint in examination.endpoints if endpoint.path.endswith("usage-queue"))
    assert "let one program alone pop" in note
    assert not [request for request in stand_in.wrote() if "usage-queue" in request]
