"""A whole gateway in memory, for tests: it passes the suite every implementation of the port passes.

`FakeGateway` holds a real config.yaml text and auth files, `script` decides what an upstream answers to each account,
`fail` makes a verb fail once, `writes` and `calls` count what was done.
"""

from adapter.fake.connection import FakeConnection, not_found
from adapter.fake.gateway import FakeGateway
from adapter.fake.upstream import Script, UpstreamRequest, by_url, reply, silent

__all__ = [
    "FakeConnection",
    "FakeGateway",
    "Script",
    "UpstreamRequest",
    "by_url",
    "not_found",
    "reply",
    "silent",
]
