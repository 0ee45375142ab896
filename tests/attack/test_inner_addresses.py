"""Addresses of the gateway's own network, which `api-call` reaches for no holder of the management key."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from tests.attack.hostile_pool import hostile_pool
from tests.system.raw_provider import answer, raw_provider

pytestmark = pytest.mark.slow

SPELLINGS: Final = (
    "127.0.0.1", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "localhost", "LOCALHOST.", "[::1]",
    "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "127\u30020\u30020\u30021", "\u0661\u0662\u0667.0.0.1",
    "\uff11\uff12\uff17.\uff10.\uff10.\uff11", "\u2460\u2461\u2466.0.0.1",
)  # fmt: skip
REFUSED: Final = {400, 502}


def test_no_spelling_of_an_inner_address_is_called(mode: str, tmp_path: Path) -> None:
    paths: list[str] = []

    def secret(head: str) -> bytes:
        paths.append(head)
        return answer("200 OK", '{"secret": "of an inner service"}')

    with raw_provider(secret) as inner:
        redirect = f"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:{inner}/\r\nContent-Length: 0\r\n\r\n".encode()
        with hostile_pool(tmp_path, mode, {"redirect": redirect}) as pool:
            entry = pool.client.gateway("GET", "claude-api-key").body["claude-api-key"][0]
            urls = [f"http://{host}:{inner}/" for host in SPELLINGS]
            urls.append(f"{entry['base-url']}/v1/models")
            statuses = {
                url: pool.client.gateway("POST", "api-call", {"method": "GET", "url": url}).status for url in urls
            }

    assert paths == []
    assert {url: status for url, status in statuses.items() if status not in REFUSED} == {}
