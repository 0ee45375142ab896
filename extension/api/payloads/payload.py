"""The shape all payloads share, and those of errors and reasons."""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Self

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from extension.reasons.reason import ReasonList

MOST: Final = 2**63 - 1
"""Largest number a row can have."""

MOST_AGE: Final = 10.0
"""Most seconds by which a reader takes an earlier reading of the gateway."""

LATEST: Final = 253_402_300_800_000
"""Beginning of the year 10000, milliseconds UTC."""

RowId = Annotated[int, Field(strict=True, ge=1, le=MOST)]
"""Number of something stored, in a JSON body."""

QueriedId = Annotated[int, Field(ge=1, le=MOST)]
"""Number of something stored, in a query."""

Cursor = Annotated[int, Field(ge=0, le=MOST)]
"""Number after which a list goes on, in a query; 0 is the beginning."""


class Payload(BaseModel):
    """A JSON object with camelCase names; unknown members of a request are refused instead of being ignored."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", alias_generator=to_camel, validate_by_name=True, validate_by_alias=True
    )

    @classmethod
    def showing(cls, record: object, **otherwise: Any) -> Self:
        """Show a record of the engine or the store: its fields by their names, but for those given `otherwise`.

        The record stays apart from the answer, so that neither a new field nor a renamed one of it shows by
        accident: a member without a field of its name is an error at the first answer. `run` shows `run_id`, and
        reasons are shown as a sentence and, in the plural, as codes.
        """
        return cls(**{name: _shown(record, name) for name in cls.model_fields if name not in otherwise}, **otherwise)


def _shown(record: object, name: str) -> Any:
    if not hasattr(record, name):
        reasons = getattr(record, name.removesuffix("s"), None)
        if isinstance(reasons, ReasonList):
            return ReasonView.all_of(reasons)
        name = f"{name}_id"
    value = getattr(record, name)
    if isinstance(value, ReasonList):
        return value.text
    return dict(value) if isinstance(value, Mapping) else value


class ReasonView(Payload):
    """One reason for programs; `docs/verdicts.md` lists the codes with their sentences and parameters."""

    code: str
    params: dict[str, str | int]

    @classmethod
    def all_of(cls, reasons: ReasonList) -> tuple[Self, ...]:
        """Show reasons; none for a note of a person or a row of an earlier version, which have text alone."""
        return tuple(cls(code=reason.code.value, params=dict(reason.parameters)) for reason in reasons.items)


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
