"""Aliases of client keys as asked and answered."""

from typing import Annotated, Self

from pydantic import Field, SecretStr, model_validator

from extension.api.payloads.payload import Payload

Fingerprint = Annotated[str, Field(pattern=r"^[0-9a-f]{16,64}$")]


class AliasRequest(Payload):
    """A name for a client key, given by the key itself or by its fingerprint; the key is hashed and not kept."""

    alias: Annotated[str, Field(min_length=1, max_length=100, pattern=r"^[^\x00-\x1f]*[^\x00-\x20][^\x00-\x1f]*$")]
    key: Annotated[SecretStr, Field(min_length=1, max_length=1_000)] | None = None
    fingerprint: Fingerprint | None = None

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if (self.key is None) is (self.fingerprint is None):
            raise ValueError("give either key or fingerprint")
        return self


class AliasView(Payload):
    """Name of the client key with this fingerprint. Times: milliseconds UTC."""

    fingerprint: str
    alias: str
    set_by: str
    set_at: int


class AliasAnswer(Payload):
    """One alias."""

    alias: AliasView


class AliasesAnswer(Payload):
    """All aliases, by name."""

    aliases: tuple[AliasView, ...]
