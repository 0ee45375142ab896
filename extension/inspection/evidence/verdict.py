"""Verdicts: the outcomes of a probe, and the kinds and tones they are grouped by."""

from enum import StrEnum


class Verdict(StrEnum):
    """Outcome of the probe of one account."""

    HEALTHY = "healthy"
    INCONCLUSIVE = "inconclusive"
    INVALID_KEY = "invalid_key"
    FORBIDDEN = "forbidden"
    RELOGIN_NEEDED = "relogin_needed"
    REVOKED = "revoked"
    OUT_OF_QUOTA = "out_of_quota"
    RATE_LIMITED = "rate_limited"
    BLOCKED = "blocked"
    REJECTED = "rejected"
    PROVIDER_ERROR = "provider_error"
    UNREACHABLE = "unreachable"
    NO_BASE_URL = "no_base_url"
    SKIPPED = "skipped"
    UNKNOWN = "unknown"


class Kind(StrEnum):
    """Subject of a verdict: how far it is evidence, and about which side."""

    WORKS = "works"
    KEY = "key"
    """About the key or sign-in itself."""
    REFUSAL = "refusal"
    """A refusal whose cause can be the account or the host: put on hold when most of a host shares it."""
    HOST = "host"
    """About the host alone: put on hold likewise, and silent about a sign-in."""
    NO_EVIDENCE = "no_evidence"
    """An answer that proves nothing about the account."""
    NOT_PROBED = "not_probed"
    """No answer of the host at all: neither evidence nor a probe of the host."""


class Tone(StrEnum):
    """Color of a verdict on the page."""

    GOOD = "good"
    CAUTION = "caution"
    BAD = "bad"
    NEUTRAL = "neutral"
