"""A page that opens asks for the pool and for costs at once, and has the gateway read once."""

import asyncio
from typing import Any

import pytest

from tests.extension.running_service import OWN, Running

POOL = f"{OWN}/pool?source=api_key&view=slim"
COST = f"{OWN}/inspections/cost"


@pytest.fixture
def readings(service: Running, monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Count the readings of the gateway's list from here on; each takes a while."""
    times: list[float] = []
    read = type(service.gateway).accounts

    async def counted(gateway: Any) -> Any:
        times.append(0.0)
        await asyncio.sleep(0.05)
        return await read(gateway)

    monkeypatch.setattr(type(service.gateway), "accounts", counted)
    return times


async def test_the_questions_of_a_page_that_opens_share_one_reading(service: Running, readings: list[float]) -> None:
    headers = await service.log_in()
    await service.get(POOL)
    await asyncio.sleep(1.0)
    readings.clear()

    costs = [
        service.post(f"{COST}?age=0.9", json={"accountSource": source}, headers=headers)
        for source in ("oauth", "api_key")
    ]
    answers = await asyncio.gather(*costs, service.get(f"{POOL}&age=0.9"))
    later = await service.get(f"{POOL}&age=5")

    assert [answer.status for answer in (*answers, later)] == [200] * 4
    assert len(readings) == 1


async def test_a_reading_from_before_a_change_is_not_shared(service: Running, readings: list[float]) -> None:
    headers = await service.log_in()
    (number, *_) = [account["id"] for account in (await service.get(f"{POOL}&age=5")).json["accounts"]]
    done = await service.post(f"{OWN}/pool/status", json={"accounts": [number], "disabled": True}, headers=headers)
    assert done.status == 200
    before = len(readings)

    (changed,) = (await service.get(f"{POOL}&age=5&account={number}")).json["accounts"]

    assert changed["enabled"] is False
    assert len(readings) > before


async def test_without_an_age_the_gateway_is_read_anew(service: Running, readings: list[float]) -> None:
    await service.log_in()
    await service.get(POOL)
    before = len(readings)

    await service.get(POOL)

    assert len(readings) == before + 1
