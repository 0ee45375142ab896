"""The fake, set up for the suite."""

import json
from collections.abc import Callable

from adapter.fake import FakeConnection, FakeGateway, UpstreamRequest
from adapter.port import Answer, Connection, NoAnswer, NoAnswerKind, UsageRecord
from tests.contract.pool import DEAD_ADDRESS, FILES, INSTALLATION_KEY, MANAGEMENT_KEY, pool_text
from tests.contract.provider import Provider, Received, path_of

ADDRESS = "http://127.0.0.1:9911"


class FakeStage:
    """A `Stage` over `FakeGateway`: the upstream is called, not connected to."""

    def __init__(self) -> None:
        self.address = ADDRESS
        self.provider = Provider()
        self.gateway = FakeGateway(pool_text(ADDRESS, "/auths"), FILES, management_key=MANAGEMENT_KEY, bound=False)
        self.gateway.upstream = self._answer
        self.connection = FakeConnection(self.gateway)
        self.connection.bind(INSTALLATION_KEY)

    def text(self) -> str:
        return self.gateway.state.text

    def file(self, name: str) -> dict[str, object] | None:
        return self.gateway.state.files.get(name)

    def file_text(self, name: str) -> str:
        return json.dumps(self.gateway.state.files[name])

    def writes(self) -> int:
        return sum(count for what, count in self.gateway.writes.items() if what != "file")

    async def edit(self, change: Callable[[str], str]) -> None:
        self.gateway.state.replace_text(change(self.text()))

    async def put_file(self, name: str, content: dict[str, object]) -> None:
        self.gateway.state.files[name] = content

    async def spend(self) -> None:
        solo = next(account for account in (await self.gateway.accounts()).accounts if account.compat_name == "solo")
        self.gateway.usage.spend(used(solo.auth_index, solo.provider))

    async def unbound(self) -> Connection:
        return FakeConnection(FakeGateway(self.text(), bound=False))

    async def close(self) -> None:
        await self.connection.close()

    async def _answer(self, request: UpstreamRequest) -> Answer | NoAnswer:
        if request.url.startswith(f"{DEAD_ADDRESS}/"):
            return NoAnswer(NoAnswerKind.CONNECT, "connection refused", 0.01)
        if not request.url.startswith(self.address):
            return NoAnswer(NoAnswerKind.BLOCKED, "the address is not public and not allowed", 0.0)
        header = {name.lower(): value for name, value in request.header.items()}
        sent = await self.provider.answer(Received(request.method, path_of(request.url), header, request.body))
        if sent.status is None:
            return NoAnswer(NoAnswerKind.CONNECT, "the connection was closed", 0.01)
        values = {name: (value,) for name, value in (sent.header or {}).items()}
        return Answer(sent.status, values, sent.body.decode("utf-8", "replace"), truncated=False, elapsed=0.01)


def used(auth_index: str, provider: str) -> UsageRecord:
    """What a gateway writes down of one request."""
    return UsageRecord(
        at=1_000,
        latency_ms=10,
        auth_index=auth_index,
        provider=provider,
        model="demo-model",
        alias="demo-alias",
        endpoint="POST /v1/chat/completions",
        request_id="1a2b3c4d",
        failed=False,
        status=200,
        input_tokens=12,
        output_tokens=30,
        reasoning_tokens=0,
        cached_tokens=0,
        total_tokens=42,
    )
