"""Requests to a gateway and their answers, apart from the protocol that carries them."""

from collections.abc import Mapping
from dataclasses import dataclass, field

READ_SECONDS = 30.0
"""Time limit for an answer to a read."""
WRITE_SECONDS = 90.0
"""Time limit for an answer to a write: a gateway with 10,000 keys reloads for seconds before it answers some."""
ANSWER_LIMIT = 64 * 1024 * 1024
"""Most bytes of an answer that are read; a section of 10,000 keys has little more than one million."""

UNTRUSTED = "its certificate is not trusted here; SSL_CERT_FILE names the certificates to trust"
"""Reason of a failure for a certificate that this process does not trust."""


@dataclass(frozen=True, slots=True)
class Request:
    """One request to the gateway. The management key is the transport's business."""

    method: str
    path: str
    query: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = field(default=None, repr=False)
    content_type: str = "application/json"
    seconds: float = READ_SECONDS
    limit: int = ANSWER_LIMIT

    @property
    def safe(self) -> bool:
        """True when it only reads, so that it may be sent again. Popping usage is a GET that does not."""
        return self.method == "GET" and not self.path.endswith("/usage-queue")


@dataclass(frozen=True, slots=True)
class Reply:
    """Answer of the gateway: header names in lower case, the body cut at the request's limit."""

    status: int
    header: Mapping[str, str]
    body: bytes = field(default=b"", repr=False)
    cut: bool = False


class TransportFailure(Exception):  # noqa: N818 - a state of the world
    """No answer came. `sent` is true when the request may have reached the gateway, `late` when time ran out."""

    def __init__(self, reason: str, *, sent: bool, late: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.sent = sent
        self.late = late
