"""The one shape of an error answer."""

from extension.api.payloads.payload import Payload


class ProblemView(Payload):
    """An error: `error` describes the event, `code` is a stable slug for programs, `hint` the next step.

    `field` is the field of the request that the error is about, with dots below an object; it is left out otherwise.
    """

    error: str
    code: str
    hint: str
    field: str | None = None
