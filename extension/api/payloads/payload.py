"""The shape all payloads share."""

from typing import Any, Self

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel


class Payload(BaseModel):
    """A JSON object with camelCase names; unknown members of a request are refused instead of being ignored."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", alias_generator=to_camel, validate_by_name=True, validate_by_alias=True
    )

    @classmethod
    def showing(cls, record: object, **otherwise: Any) -> Self:
        """Show a record of the engine or the store: its fields by their names, but for those given `otherwise`.

        The record stays apart from what is answered, so that neither a new field nor a renamed one of it shows by
        accident: a member without a field of its name is an error at the first answer.
        """
        plain = {name: getattr(record, name) for name in cls.model_fields if name not in otherwise}
        return cls(**plain, **otherwise)
