"""What the suite needs of an implementation besides the port: its upstream, and changes made behind its back."""

from collections.abc import Callable
from typing import Protocol

from adapter.port import Capability, Connection, Gateway
from tests.contract.provider import Provider


class Stage(Protocol):
    """One running gateway with the pool of the suite."""

    provider: Provider
    address: str

    @property
    def connection(self) -> Connection:
        """The connection under test, bound to the installation key of the suite."""

    @property
    def gateway(self) -> Gateway:
        """The gateway under test, bound to the installation key of the suite."""

    def text(self) -> str:
        """config.yaml as it is stored now."""

    def file(self, name: str) -> dict[str, object] | None:
        """An auth file as it is stored now; None when there is none."""

    def file_text(self, name: str) -> str:
        """The same as text."""

    def writes(self) -> int:
        """How often config.yaml was written so far."""

    async def edit(self, change: Callable[[str], str]) -> None:
        """Change config.yaml behind the gateway's back, and wait until it has taken effect."""

    async def put_file(self, name: str, content: dict[str, object]) -> None:
        """Write an auth file behind the gateway's back, and wait until it has taken effect."""

    async def spend(self) -> None:
        """Let a client use a model through the gateway: one request for `demo-alias`, answered with status 200."""

    async def unbound(self) -> Connection:
        """Another connection to the same gateway, not bound yet."""

    async def close(self) -> None:
        """Take the stage down."""


async def lacks(stage: Stage, capability: Capability) -> bool:
    """Return whether the gateway says that it cannot do that."""
    return capability not in (await stage.gateway.describe()).capabilities
