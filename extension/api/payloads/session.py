"""Log-in as asked and answered."""

from typing import Annotated

from pydantic import Field, SecretStr

from extension.api.payloads.payload import Payload


class LogInRequest(Payload):
    """The management key, to be exchanged for a session. It is checked once and kept nowhere."""

    key: Annotated[SecretStr, Field(min_length=1, max_length=1000)]


class SessionAnswer(Payload):
    """A session: `csrf` goes into `X-Poolkeeper-CSRF` of every unsafe request; `expiresAt` is milliseconds UTC."""

    csrf: str
    expires_at: int
