"""The one shape of an error answer."""

from extension.api.payloads.payload import Payload


class ProblemView(Payload):
    """An error: `error` describes the event, `code` is a stable slug for programs, `hint` the next step."""

    error: str
    code: str
    hint: str
