"""An element of ``GET /auth-files``, typed, and its form on the wire."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from gateway.internal.pool.activity import Bucket
from gateway.internal.pool.credential import Credential


@dataclass(frozen=True, slots=True)
class Entry:
    """One listed credential.

    Attributes:
        credential: What is listed. It holds secrets; ``fields`` is what may leave.
        success: Requests that went well since the process started.
        failed: Requests that did not.
        recent: The last twenty buckets of ten minutes.
        fields: The element of the answer as it stands on the wire, keys in alphabetical order.
    """

    credential: Credential
    name: str
    runtime_only: bool
    success: int
    failed: int
    recent: tuple[Bucket, ...]
    fields: Mapping[str, object] = field(repr=False)
