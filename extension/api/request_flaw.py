"""Reason for a field of a request that does not fit."""

from collections.abc import Mapping
from typing import Any, Final

from extension.reasons.codes import ReasonCode
from extension.reasons.field_flaw import field_flaw
from extension.reasons.reason import Reason

_FORMS: Final[Mapping[str, ReasonCode]] = {
    "amount": ReasonCode.FIELD_NO_AMOUNT,
    "requestId": ReasonCode.FIELD_NO_HEXADECIMAL,
    "digest": ReasonCode.FIELD_NO_DIGEST,
}
"""Forms of texts that have a pattern, by the name of the field."""


def request_flaw(field: str, detail: Mapping[str, Any]) -> Reason:
    """Return the reason for an error of the validation."""
    return field_flaw(field, detail, _FORMS.get(str(detail["loc"][-1]), ReasonCode.FIELD_UNFIT))
