"""Access of an operator of a fleet in one request: the credential shown, and what the request needs."""

from dataclasses import dataclass, field

from extension.api.auth.role_table import Need
from extension.engine.operators.permission import Operator


@dataclass(frozen=True, slots=True)
class Credential:
    """Credential of a request: number and hash of a token, or a user with groups whom a trusted proxy names."""

    token_id: int = 0
    digest: str = field(default="", repr=False)
    is_session: bool = False
    user: str = ""
    groups: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Name for the audit."""
        if self.user:
            return "proxy"
        return f"session of token {self.token_id}" if self.is_session else f"token {self.token_id}"


@dataclass(frozen=True, slots=True)
class OperatorAccess:
    """An operator with the credential shown, and need and gateway of the request."""

    operator: Operator
    credential: Credential
    need: Need
    pool: str
