"""The one shape of an error answer."""

from extension.api.payloads.payload import Payload


class ProblemView(Payload):
    """An error: `error` says what happened, `code` is a stable slug for programs, `hint` what to do next."""

    error: str
    code: str
    hint: str
