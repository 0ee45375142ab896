from collections.abc import MutableMapping
from dataclasses import dataclass, field
from typing import Any

from adapter.fake import FakeGateway
from adapter.management import ManagementConnection
from adapter.port import About
from adapter.privacy.secret import Secret
from extension.serving.gateway_notice import gateway_noticed, notice
from tests.adapter.management.stand_in import KEY, Place, StandIn


@dataclass
class _Log:
    """Remembers what was logged."""

    lines: list[tuple[str, str, MutableMapping[str, Any]]] = field(default_factory=list)

    def info(self, text: str, **more: Any) -> None:
        self.lines.append(("info", text, more))

    def warning(self, text: str, **more: Any) -> None:
        self.lines.append(("warning", text, more))


class _Costly(FakeGateway):
    async def describe(self) -> About:
        return About("cliproxyapi", "7.2.140", frozenset(), 0.072)


async def test_what_a_call_costs_is_told_with_what_would_save_it() -> None:
    log = _Log()
    await notice(_Costly("", {}, management_key=KEY), log)
    (who, cost) = log.lines
    assert who == ("info", "gateway", {"name": "cliproxyapi", "version": "7.2.140"})
    assert cost[2] == {"ms_per_call": 72, "seconds_saved_per_1000_accounts_with_MANAGEMENT_PASSWORD": 70}


async def test_a_gateway_that_refuses_is_told_and_the_service_goes_on() -> None:
    log, stand_in = _Log(), StandIn()
    stand_in.managed = False
    place = Place(stand_in)
    await place.start()
    connection = ManagementConnection(place.address, Secret(KEY))
    await notice(connection.gateway, log)
    ((level, text, more),) = log.lines
    assert (level, text) == ("warning", "the gateway cannot be used yet")
    assert "Management is switched off" in more["reason"]
    await connection.close()
    await place.stop()


async def test_asking_ends_with_the_service() -> None:
    log = _Log()
    place = Place(StandIn())
    connection = ManagementConnection(place.address, Secret(KEY))
    async with gateway_noticed(connection.gateway, log):
        pass
    assert log.lines == []
    await connection.close()
