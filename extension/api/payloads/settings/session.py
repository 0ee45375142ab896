"""Sign-in, in requests and answers."""

from typing import Annotated

from pydantic import AfterValidator, Field, SecretStr
from pydantic_core import PydanticCustomError

from adapter.privacy.encodable import writable
from extension.api.payloads.payload import Payload


def _text(key: SecretStr) -> SecretStr:
    if writable(key.get_secret_value()) != key.get_secret_value():
        raise PydanticCustomError("key", "Input should be text")
    return key


class SignInRequest(Payload):
    """The management key, to be exchanged for a session. It is checked once and kept nowhere."""

    key: Annotated[SecretStr, Field(min_length=1, max_length=1000), AfterValidator(_text)]


class SessionAnswer(Payload):
    """A session: `csrf` goes into `X-Poolkeeper-CSRF` of every unsafe request; `expiresAt` is milliseconds UTC."""

    csrf: str
    expires_at: int
