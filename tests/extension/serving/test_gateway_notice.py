import pytest
import structlog
from structlog.testing import capture_logs

from adapter.fake import FakeGateway
from adapter.management import ManagementConnection
from adapter.port import About, Gateway
from adapter.privacy.secret import Secret
from extension.serving.gateway_notice import gateway_noticed, notice, warn_of_open_inference
from tests.adapter.management.stand_in import KEY, Place, StandIn, standing


@pytest.fixture(autouse=True)
def _fresh_log() -> None:
    structlog.reset_defaults()  # a service in this process may have been here before, with a level of its own


class _Costly(FakeGateway):
    async def describe(self) -> About:
        return About("cliproxyapi", "7.2.140", frozenset(), 0.072)


async def noticed(gateway: Gateway) -> list[dict[str, object]]:
    with capture_logs() as lines:
        await notice(gateway, structlog.get_logger())
    return [dict(line) for line in lines]


async def test_what_a_call_costs_is_told_with_what_would_save_it() -> None:
    about, cost = await noticed(_Costly("", {}, management_key=KEY))
    assert (about["event"], about["name"], about["version"]) == ("gateway", "cliproxyapi", "7.2.140")
    assert (cost["ms_per_call"], cost["seconds_saved_per_1000_accounts_with_MANAGEMENT_PASSWORD"]) == (72, 70)


async def test_a_gateway_that_refuses_is_told_and_the_service_goes_on() -> None:
    stand_in = StandIn()
    stand_in.managed = False
    async with standing(stand_in) as place:
        connection = ManagementConnection(place.address, Secret(KEY))
        (line,) = await noticed(connection.gateway)
        await connection.close()
    assert (line["log_level"], line["event"]) == ("warning", "the gateway cannot be used yet")
    assert "Management is switched off" in str(line["reason"])


@pytest.mark.parametrize(
    ("text", "codes"),
    [("", ["open_inference"]), ("api-keys: []\n", ["open_inference"]), ("api-keys: [a-client-key]\n", [])],
)
async def test_a_start_with_open_inference_is_warned_of(text: str, codes: list[str]) -> None:
    with capture_logs() as lines:
        await warn_of_open_inference(FakeGateway(text), structlog.get_logger())
    assert [(line["code"], line["log_level"]) for line in lines] == [(code, "warning") for code in codes]


async def test_asking_ends_with_the_service() -> None:
    connection = ManagementConnection(Place(StandIn()).address, Secret(KEY))
    with capture_logs() as lines:
        async with gateway_noticed(connection.gateway, structlog.get_logger()):
            pass
    assert lines == []
    await connection.close()
