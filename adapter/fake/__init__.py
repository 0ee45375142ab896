"""A whole gateway in memory, for tests: it passes the suite every implementation of the port passes.

`FakeGateway` holds a real config.yaml text and auth files, `script` decides an upstream's answers for each account,
`fail` makes a verb fail once, `writes` and `calls` count changes and requests.
"""

from adapter.fake.connection import FakeConnection, not_found
from adapter.fake.gateway import FakeGateway
from adapter.fake.upstream import Script, UpstreamRequest, by_url, issuing, reply, silent

__all__ = [
    "FakeConnection",
    "FakeGateway",
    "Script",
    "UpstreamRequest",
    "by_url",
    "issuing",
    "not_found",
    "reply",
    "silent",
]
