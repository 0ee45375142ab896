"""An event of an export, checked before it is stored."""

from typing import Annotated, Any, Final

from pydantic import ConfigDict, Field, create_model
from pydantic.alias_generators import to_camel

from extension.api.payloads.payload import Payload
from extension.usage.event import BUCKETS, TokenCounts, TokenQuality, UsageEvent
from extension.usage.record_reading import MOST_TOKENS

_LATEST: Final = 253_402_300_800_000
_Name = Annotated[str, Field(max_length=250)]
_Count = Annotated[int, Field(ge=0, le=MOST_TOKENS)]
_Milliseconds = Annotated[int, Field(ge=0, le=2**31 - 1)]
_NAMES: Final = ("account", "client", "model", "alias", "provider", "endpoint", "tier", "failure")


class _Lenient(Payload):
    """Members that newer versions export and this one does not know are passed over."""

    model_config = ConfigDict(
        frozen=True, extra="ignore", alias_generator=to_camel, validate_by_name=True, validate_by_alias=True
    )


_COUNTS: dict[str, Any] = dict.fromkeys((*BUCKETS, "total"), (_Count, ...))
ImportedTokens = create_model("ImportedTokens", __base__=_Lenient, **_COUNTS)
"""Tokens by bucket."""


class ImportedEvent(_Lenient):
    """One event of an export."""

    at: Annotated[int, Field(ge=0, le=_LATEST)]
    account: _Name
    client: _Name
    model: _Name
    alias: _Name
    provider: _Name
    endpoint: _Name
    tier: _Name
    failure: _Name
    status: Annotated[int, Field(ge=0, le=999)]
    latency_ms: _Milliseconds
    ttft_ms: _Milliseconds
    request_id: Annotated[str, Field(pattern=r"^[0-9a-f]{1,15}$")]
    tokens: ImportedTokens  # type: ignore[valid-type]  # made above
    quality: TokenQuality
    digest: Annotated[str, Field(pattern=r"^-?[0-9]{1,18}$|^-?[1-9][0-9]{18}$")]

    def event(self) -> UsageEvent:
        """Return the event.

        Raises:
            ValueError: quality and counts contradict each other, or the digest has more than 64 bits.
        """
        names: dict[str, Any] = {name: getattr(self, name) for name in _NAMES}
        digest = int(self.digest)
        if not -(2**63) <= digest < 2**63:
            raise ValueError("A digest has 64 bits.")
        return UsageEvent(
            at=self.at,
            **names,
            status=self.status,
            latency_ms=self.latency_ms,
            ttft_ms=self.ttft_ms,
            request_id=int(self.request_id, 16),
            tokens=TokenCounts(**dict(self.tokens), quality=self.quality),
            digest=digest,
        )
