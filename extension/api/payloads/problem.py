"""The one shape of an error answer."""

from extension.api.payloads.payload import Payload
from extension.api.payloads.reason import ReasonView


class ProblemView(Payload):
    """An error: `error` describes the event, `code` is a stable slug for programs, `hint` the next step.

    `field` is the field of the request that the error is about, with dots below an object; it is left out otherwise.
    `reasons` are codes with parameters where the text says more than `code`; they are left out otherwise.
    """

    error: str
    code: str
    hint: str
    field: str | None = None
    reasons: tuple[ReasonView, ...] | None = None
