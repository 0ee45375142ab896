"""Gateways for the tests of inference: a configuration over the stand-in, served."""

from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from tests.inference.providers import Providers, providers
from tests.management.serving import AUTHORISED, Served, gateway, secured

CLIENT = {"Authorization": "Bearer client-key-1"}
CHAT = {"model": "demo-model", "messages": [{"role": "user", "content": "hi"}]}


def compat(url: str, *keys: str, name: str = "solo", model: str = "demo-model", upstream: str = "") -> str:
    """Return the entry of one compat provider."""
    entries = "\n".join(f'      - api-key: "{key}"' for key in keys)
    return (
        f'  - name: "{name}"\n    base-url: "{url}/v1"\n    api-key-entries:\n{entries}\n'
        f'    models:\n      - name: "{upstream or model}"\n        alias: "{model}"\n'
    )


def key_section(section: str, url: str, keys: Iterable[str], model: str = "") -> str:
    """Return a section of plain keys, each with one model, or without any."""
    models = f'    models:\n      - name: "{model}"\n        alias: "{model}"\n' if model else ""
    return f"{section}:\n" + "".join(f'  - api-key: "{key}"\n    base-url: "{url}"\n{models}' for key in keys)


SETTINGS = 'usage-statistics-enabled: true\napi-keys:\n  - "client-key-1"\n'


@asynccontextmanager
async def pool(
    folder: Path, make: "str | None" = None, *, files: Mapping[str, str] | None = None, rest: str = ""
) -> AsyncIterator[tuple[Served, Providers]]:
    """Serve a gateway. ``{url}`` in the text is the stand-in; without a text there is one compat provider."""
    async with providers() as upstream:
        text = make if make is not None else "openai-compatibility:\n" + compat("{url}", "ok-solo-1")
        configuration = secured(folder, SETTINGS + rest + text.replace("{url}", upstream.url))
        filled = {name: content.replace("{url}", upstream.url) for name, content in (files or {}).items()}
        async with gateway(folder, configuration, files=filled) as served:
            yield served, upstream


async def records(served: Served) -> list[dict[str, object]]:
    """Take all usage records out of the queue."""
    answer = await served.request("GET", "/v0/management/usage-queue?count=1000", headers=AUTHORISED)
    assert isinstance(answer.json, list)
    return answer.json
