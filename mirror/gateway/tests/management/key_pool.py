"""A gateway with entries in its key sections, for tests of what can be done to them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from gateway.internal.configuration.document import parse_document
from tests.management.serving import Answer, Served, gateway, secured

POOL = """gemini-api-key:
  - api-key: g1
    base-url: https://one.example
  - api-key: g1
    base-url: https://two.example
  - api-key: g2 # two
claude-api-key:
  # first
  - api-key: c1 # one
    my-own: 7
  - api-key: c2
    priority: 3
codex-api-key:
  - api-key: nowhere # no address: not used
  - api-key: x1
    base-url: https://x.example
vertex-api-key:
  - api-key: v1
openai-compatibility:
  # solo
  - name: solo
    base-url: https://s.example/v1
    api-key-entries:
      - api-key: s1 # key
  - name: bare
    base-url: https://b.example/v1
"""
OK = {"status": "ok"}


@asynccontextmanager
async def pool(folder: Path) -> AsyncIterator[Served]:
    """Serve a gateway with ``POOL``."""
    async with gateway(folder, secured(folder, POOL)) as running:
        yield running


async def ask(served: Served, method: str, path: str, body: object = None) -> Answer:
    return await served.request(method, f"/v0/management/{path}", json=body)


def on_disk(served: Served, section: str) -> Any:
    return parse_document(served.runtime.config_path.read_text()).get(section)
