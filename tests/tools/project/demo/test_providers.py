from collections.abc import AsyncIterator

import pytest
from aiohttp import ClientError, ClientSession, ClientTimeout

from tools.project.demo.behavior import BIG_BODY, Behavior, demo_key
from tools.project.demo.providers import Providers, start_providers


@pytest.fixture
async def providers() -> AsyncIterator[Providers]:
    async with start_providers(slow_seconds=0.01) as started:
        yield started


@pytest.fixture
async def client() -> AsyncIterator[ClientSession]:
    async with ClientSession(timeout=ClientTimeout(total=5)) as session:
        yield session


def bearer(behavior: Behavior) -> dict[str, str]:
    return {"Authorization": f"Bearer {demo_key(behavior, 'test')}"}


@pytest.mark.parametrize(
    ("behavior", "models", "chat"),
    [
        (Behavior.OK, 200, 200),
        (Behavior.UNAUTHORIZED, 401, 401),
        (Behavior.PAYMENT, 402, 402),
        (Behavior.FORBIDDEN, 403, 403),
        (Behavior.MODELS_ABSENT, 404, 200),
        (Behavior.MODELS_REFUSED, 405, 200),
        (Behavior.RATE_LIMITED, 429, 429),
        (Behavior.QUOTA, 429, 429),
        (Behavior.FAILING, 500, 500),
        (Behavior.SLOW, 200, 200),
        (Behavior.WEB_PAGE, 200, 200),
        (Behavior.BIG, 200, 200),
        (Behavior.BIG_FAILURE, 500, 500),
        (Behavior.OTHER_MODEL, 404, 404),
        (Behavior.NATIVE_HEADER, 401, 401),
    ],
)
async def test_each_key_is_answered_as_its_name_says(
    providers: Providers, client: ClientSession, behavior: Behavior, models: int, chat: int
) -> None:
    base, header = f"{providers.address}/anything/v1", bearer(behavior)
    body = {"model": "m", "messages": [{"role": "user", "content": "ping"}]}

    async with client.get(f"{base}/models", headers=header) as answer:
        assert answer.status == models
    async with client.post(f"{base}/chat/completions", headers=header, json=body) as answer:
        assert answer.status == chat


async def test_a_closing_key_gets_its_connection_closed(providers: Providers, client: ClientSession) -> None:
    with pytest.raises(ClientError):
        await client.get(f"{providers.address}/v1/models", headers=bearer(Behavior.CLOSING))


async def test_a_silent_key_is_never_answered(providers: Providers, client: ClientSession) -> None:
    with pytest.raises(TimeoutError):
        await client.get(
            f"{providers.address}/v1/models", headers=bearer(Behavior.SILENT), timeout=ClientTimeout(total=0.1)
        )

    assert providers.requests[demo_key(Behavior.SILENT, "test")] == 1


async def test_a_rate_limit_says_when_to_come_back(providers: Providers, client: ClientSession) -> None:
    async with client.get(f"{providers.address}/v1/models", headers=bearer(Behavior.RATE_LIMITED)) as answer:
        assert answer.headers["Retry-After"] == "30"


@pytest.mark.parametrize("behavior", [Behavior.BIG, Behavior.BIG_FAILURE])
async def test_a_big_body_has_five_megabytes(providers: Providers, client: ClientSession, behavior: Behavior) -> None:
    async with client.get(f"{providers.address}/v1/models", headers=bearer(behavior)) as answer:
        assert len(await answer.read()) >= BIG_BODY


async def test_messages_want_their_own_header_and_version(providers: Providers, client: ClientSession) -> None:
    key = demo_key(Behavior.OK, "test")
    address, body = f"{providers.address}/v1/messages", {"messages": [{"role": "user", "content": "3+4="}]}

    async with client.post(address, headers={"x-api-key": key}, json=body) as answer:
        assert answer.status == 400
    async with client.post(address, headers={"x-api-key": key, "anthropic-version": "2023-06-01"}, json=body) as answer:
        assert (await answer.json())["content"] == [{"type": "text", "text": "7"}]


async def test_the_native_header_is_taken_alone(providers: Providers, client: ClientSession) -> None:
    address = f"{providers.address}/v1beta/models"

    async with client.get(address, headers={"x-goog-api-key": demo_key(Behavior.NATIVE_HEADER, "test")}) as answer:
        assert (await answer.json())["models"][0]["name"] == "models/demo-model"


async def test_requests_are_counted_by_key(providers: Providers, client: ClientSession) -> None:
    for _ in range(3):
        async with client.get(f"{providers.address}/v1/models", headers=bearer(Behavior.OK)):
            pass

    assert providers.requests == {demo_key(Behavior.OK, "test"): 3}


async def test_a_port_in_use_is_an_error_at_once(providers: Providers) -> None:
    port = int(providers.address.rpartition(":")[2])

    with pytest.raises(OSError, match="in use"):
        async with start_providers(port):
            pytest.fail("two servers on one port")
