"""A gateway in the stock profile, served over HTTP, and short ways to ask it."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from gateway.internal.configuration.document import parse_document
from gateway.internal.configuration.model import Profile
from tests.management.serving import AUTHORISED, Answer, Served, gateway, secured

OK = {"status": "ok"}


def profiled(folder: Path, rest: str = "", profile: Profile = Profile.STOCK) -> str:
    """Return a configuration with the management key, in the stock profile unless another is given."""
    return secured(folder, f"{rest}management-profile: {profile.value}\n")


@asynccontextmanager
async def stock(
    folder: Path, rest: str = "", *, files: Mapping[str, str] | None = None, profile: Profile = Profile.STOCK
) -> AsyncIterator[Served]:
    """Serve a gateway in the stock profile; ``rest`` is what else config.yaml says."""
    async with gateway(folder, profiled(folder, rest, profile), files=files) as served:
        yield served


async def ask(
    served: Served, call: str, body: object = None, *, headers: Mapping[str, str] = AUTHORISED, raw: bytes | None = None
) -> Answer:
    """Send a management request: ``call`` is its method and its path below ``/v0/management/``."""
    method, path = call.split(" ")
    return await served.request(method, f"/v0/management/{path}", json=body, data=raw, headers=headers)


def on_disk(served: Served) -> Any:
    """Return what config.yaml says."""
    return parse_document(served.runtime.config_path.read_text())
