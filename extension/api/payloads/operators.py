"""Operators of a fleet, their tokens, and the audit, in requests and answers."""

from typing import Annotated, Self

from pydantic import Field, StringConstraints

from extension.api.payloads.payload import Payload
from extension.engine.operators.permission import NAME_PATTERN, Role
from extension.store.operators.audit import AuditOutcome, AuditRecord
from extension.store.operators.operators import OperatorRecord, TokenRecord

OperatorName = Annotated[str, StringConstraints(pattern=NAME_PATTERN)]
_Label = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._/-]{0,62}$")]
Labels = Annotated[dict[_Label, _Label], Field(max_length=20)]


class OperatorRequest(Payload):
    """An operator to add; `labels` are those that a gateway must have, none for every gateway."""

    name: OperatorName
    role: Role
    labels: Annotated[Labels, Field(default_factory=dict)]


class OperatorEdit(Payload):
    """Another role or other labels of an operator; what is left out stays."""

    name: OperatorName
    role: Role | None = None
    labels: Labels | None = None


class TokenRequest(Payload):
    """A token to make, which expires after so many days."""

    operator: OperatorName
    days: Annotated[int, Field(strict=True, ge=1, le=3_650)] = 90
    note: Annotated[str, Field(max_length=200)] = ""


class TokenView(Payload):
    """A token without itself."""

    id: int
    note: str
    added_by: str
    added_at: int
    expires_at: int

    @classmethod
    def of(cls, record: TokenRecord) -> Self:
        """Show a token."""
        return cls.showing(record)


class IssuedTokenView(TokenView):
    """A new token, which is shown this once."""

    token: str


class OperatorView(Payload):
    """An operator with the tokens."""

    name: str
    role: Role
    labels: dict[str, str]
    added_by: str
    added_at: int
    tokens: tuple[TokenView, ...]

    @classmethod
    def of(cls, record: OperatorRecord, tokens: tuple[TokenRecord, ...]) -> Self:
        """Show an operator."""
        return cls.showing(record, role=Role(record.role), tokens=tuple(map(TokenView.of, tokens)))


class OperatorsAnswer(Payload):
    """All operators, by name."""

    operators: tuple[OperatorView, ...]


class AuditView(Payload):
    """One request to change something.

    `credential` names the token by its number. `reason` is the note of the person, `code` that of the refusal or the
    error. An outcome of `begun` means that the request is under way, or that its process ended.
    """

    id: int
    at: int
    operator: str
    credential: str
    address: str
    pool: str
    method: str
    path: str
    reason: str
    outcome: AuditOutcome
    status: int | None
    code: str
    ended_at: int | None

    @classmethod
    def of(cls, record: AuditRecord) -> Self:
        """Show a record."""
        return cls.showing(record)


class AuditAnswer(Payload):
    """Records of the audit, the newest first; `next` continues the list with `before`, null at its end."""

    records: tuple[AuditView, ...]
    next: int | None
