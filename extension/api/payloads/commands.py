"""Payloads of commands that the process that works on the gateway has not answered yet."""

from extension.api.payloads.payload import Payload


class PendingAnswer(Payload):
    """The number of a command that is not answered yet: ask `pool/commands` for its outcome."""

    command: int
