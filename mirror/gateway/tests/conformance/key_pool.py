"""A gateway with entries in its key sections, for tests of what can be done to them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from tests.conformance.stock import on_disk, stock
from tests.management.serving import Served

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


@asynccontextmanager
async def pool(folder: Path) -> AsyncIterator[Served]:
    """Serve a gateway with ``POOL``, in the stock profile."""
    async with stock(folder, POOL) as running:
        yield running


def entries(served: Served, section: str) -> Any:
    """Return a section as it stands in config.yaml."""
    return on_disk(served).get(section)
