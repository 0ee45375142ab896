"""An account that goes by another name since its run began is found again by one more listing, and probed."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest
from gateway.internal.management.application import build_application
from gateway.internal.runtime import Runtime

from adapter.clock import FakeClock
from adapter.embedded import EmbeddedConnection
from adapter.fake import FakeGateway, UpstreamRequest, reply
from adapter.management import ManagementConnection
from adapter.port import Answer, Connection, Gateway, Pool, errors
from adapter.privacy.secret import Redactor, Secret
from extension.engine.inspector import Inspector
from extension.engine.pool.listing import PAUSE_SECONDS, PoolRefresh
from extension.store.data_folder import DataFolder
from extension.store.database.database import Database
from extension.store.run_state import RunState
from tests.adapter.management.served import served
from tests.contract.provider import Provider, ProviderServer, Received, Sent
from tests.extension.engine.scenario import FlyingClock, fleet, inspected, newest_actions, opened, settings

pytestmark = pytest.mark.slow

HEALTHY = reply(200, '{"type":"message","content":[{"type":"text","text":"pong"}]}')
KEY = "a management key of this test"


class Counted(FakeGateway):
    """A fake that counts listings, and edits its configuration before its first call."""

    listings = 0
    edited = False

    async def accounts(self) -> Pool:
        self.listings += 1
        return await super().accounts()

    def edit_once(self, change: Callable[[str], str]) -> None:
        """Let every upstream answer well, and the first of them change the configuration before."""

        def upstream(_: UpstreamRequest) -> Answer:
            if not self.edited:
                self.edited = True
                self.state.replace_text(change(self.state.text))
            return HEALTHY

        self.upstream = upstream


def prefixed(text: str) -> str:
    """Give every key a prefix: what names a key in the gateway is made from that too."""
    return text.replace("    base-url:", "    prefix: team\n    base-url:")


async def test_keys_that_go_by_another_name_in_mid_run_are_listed_once_more_and_probed(tmp_path: Path) -> None:
    gateway = Counted(fleet({"calm": 100}))
    gateway.edit_once(prefixed)
    async with opened(tmp_path, gateway) as inspector:
        run = await inspected(inspector, settings(workers=8))
        assert (run.state, run.verdicts) == (RunState.FINISHED, {"healthy": 100})
        assert gateway.listings == 2


async def test_what_is_done_about_a_key_rests_on_the_state_it_was_probed_in(tmp_path: Path) -> None:
    gateway = Counted(fleet({"refusing": 3}))
    gateway.edit_once(prefixed)
    edit = gateway.upstream

    def refused(request: UpstreamRequest) -> Answer:
        edit(request)
        return reply(401)

    gateway.upstream = refused
    async with opened(tmp_path, gateway) as inspector:
        chosen = settings(workers=1, autoActionMode="disable", brake=False)
        await inspected(inspector, chosen)
        made = {action.account_id: action.outcome.value for action in await newest_actions(inspector)}
        # the first was probed before the edit, so that the gateway's state is not the one its probe saw
        assert sorted(made.values()) == ["applied", "applied", "conflict"]


async def test_a_key_that_is_gone_stays_unknown_and_is_never_a_reason_to_act(tmp_path: Path) -> None:
    gateway = Counted(fleet({"calm": 10}))
    gateway.edit_once(lambda text: text[: text.index("  - api-key: sk-ant-calm-0005")])
    async with opened(tmp_path, gateway) as inspector:
        run = await inspected(inspector, settings(workers=1, autoActionMode="disable"))
        assert run.verdicts == {"healthy": 5, "unknown": 5}
        assert {result.action for result in await inspector.history.results(run.id)} == {"keep"}
        assert gateway.listings == 2
    assert not gateway.writes


async def test_a_pool_that_cannot_be_read_again_leaves_the_key_unknown_and_the_next_pause_reads_it_anew(
    tmp_path: Path,
) -> None:
    gateway, clock = Counted(fleet({"calm": 1})), FakeClock()
    async with opened(tmp_path, gateway, clock=clock) as inspector:
        (credential,) = (await inspector.listing.read()).accounts.values()
        refresh = PoolRefresh(inspector.listing, clock)
        gateway.fail("accounts", errors.Unavailable("It starts."))
        assert await refresh(credential) is None
        assert await refresh(credential) is None
        await clock.advance(PAUSE_SECONDS)
        assert await refresh(credential) == credential
        gateway.fail("accounts", errors.Unauthorised("The key is refused."))
        await clock.advance(PAUSE_SECONDS)
        with pytest.raises(errors.Unauthorised):
            await refresh(credential)


class Upstream(Provider):
    """A provider before whose first answer something else happens."""

    def __init__(self) -> None:
        super().__init__()
        self.first: Callable[[], Awaitable[None]] | None = None

    async def answer(self, request: Received) -> Sent:
        self.received.append(request)
        happening, self.first = self.first, None
        if happening is not None:
            await happening()
        return Sent(200, HEALTHY.body.encode(), {"Content-Type": "application/json"})


@asynccontextmanager
async def in_this_process(runtime: Runtime) -> AsyncIterator[Connection]:
    yield EmbeddedConnection.open(runtime, build_application(runtime))


@asynccontextmanager
async def elsewhere(runtime: Runtime) -> AsyncIterator[Connection]:
    async with served(build_application(runtime)) as address:
        connection = ManagementConnection(address, Secret(KEY))
        yield connection
        await connection.close()


@pytest.mark.parametrize("way", [in_this_process, elsewhere])
async def test_it_is_so_with_the_real_gateway_in_this_process_and_elsewhere(
    tmp_path: Path, way: Callable[[Runtime], AbstractAsyncContextManager[Connection]]
) -> None:
    provider = Upstream()
    server = ProviderServer(provider)
    address = await server.start()
    config = tmp_path / "config.yaml"
    text = fleet({"calm": 20}).replace("http://calm.example", address)
    config.write_text(f"auth-dir: {tmp_path / 'auths'}\n{text}", encoding="utf-8")
    runtime = Runtime(config, environment={"MANAGEMENT_PASSWORD": KEY}, watch=False)
    await runtime.start()

    async def edited() -> None:
        config.write_text(prefixed(config.read_text()), encoding="utf-8")
        await runtime.reload()

    provider.first = edited
    try:
        async with way(runtime) as connection:
            connection.bind(b"an installation key for this test")
            run = await one_run(tmp_path / "data", connection.gateway)
        assert run == {"healthy": 20}
        assert len(provider.received) == 20
    finally:
        await runtime.stop()
        await server.stop()


async def one_run(folder: Path, gateway: Gateway) -> dict[str, int]:
    """Inspect every key, one after the other, and return how many got which verdict."""
    with DataFolder.open(folder) as data:
        database = await Database.open(data)
        inspector = Inspector(gateway, database, FlyingClock(), Redactor())
        await inspector.open()
        try:
            run = await inspected(inspector, settings(workers=1))
            return dict(run.verdicts)
        finally:
            await inspector.close()
            await database.close()
