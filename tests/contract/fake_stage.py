"""The fake, set up for the suite."""

from collections.abc import Callable

from adapter.fake import FakeConnection, FakeGateway, UpstreamRequest
from adapter.port import Answer, Connection, NoAnswer, NoAnswerKind
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

    def writes(self) -> int:
        return sum(count for what, count in self.gateway.writes.items() if what != "file")

    async def edit(self, change: Callable[[str], str]) -> None:
        self.gateway.state.replace_text(change(self.text()))

    async def put_file(self, name: str, content: dict[str, object]) -> None:
        self.gateway.state.files[name] = content

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
