"""Meanings of answers, and the verdict of each."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from extension.inspection.evidence.verdict import Verdict


class Meaning(StrEnum):
    """Meaning of an answer, as a row of the tables of answers states it."""

    INVALID_KEY = "invalid_key"
    KEY_NOT_PERMITTED = "key_not_permitted"
    KEY_EXPIRED = "key_expired"
    ACCOUNT_SUSPENDED = "account_suspended"
    OUT_OF_QUOTA = "out_of_quota"
    RATE_LIMITED = "rate_limited"
    BLOCKED = "blocked"
    PROVIDER_ERROR = "provider_error"
    MODEL_PROBLEM = "model_problem"
    REQUEST_PROBLEM = "request_problem"


VERDICT_OF: Mapping[Meaning, Verdict] = MappingProxyType(
    {
        Meaning.INVALID_KEY: Verdict.INVALID_KEY,
        Meaning.KEY_EXPIRED: Verdict.INVALID_KEY,
        Meaning.KEY_NOT_PERMITTED: Verdict.FORBIDDEN,
        Meaning.ACCOUNT_SUSPENDED: Verdict.FORBIDDEN,
        Meaning.OUT_OF_QUOTA: Verdict.OUT_OF_QUOTA,
        Meaning.RATE_LIMITED: Verdict.RATE_LIMITED,
        Meaning.BLOCKED: Verdict.BLOCKED,
        Meaning.PROVIDER_ERROR: Verdict.PROVIDER_ERROR,
        Meaning.MODEL_PROBLEM: Verdict.INCONCLUSIVE,
        Meaning.REQUEST_PROBLEM: Verdict.INCONCLUSIVE,
    }
)
"""Verdict of each meaning for an API key."""

SIGN_IN_MEANINGS = frozenset({Meaning.INVALID_KEY, Meaning.KEY_EXPIRED})
"""Meanings that call for a new sign-in where the credential is an OAuth file."""

REQUEST_MEANINGS = frozenset({Meaning.MODEL_PROBLEM, Meaning.REQUEST_PROBLEM})
"""Meanings about the probe itself: they never count against a key."""

KEY_MEANINGS = frozenset(
    {Meaning.INVALID_KEY, Meaning.KEY_EXPIRED, Meaning.KEY_NOT_PERMITTED, Meaning.ACCOUNT_SUSPENDED}
)
"""Meanings that blame the key or its account."""
