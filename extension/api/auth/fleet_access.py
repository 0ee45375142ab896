"""Access to a fleet: its operators by token, session or trusted proxy, looked up anew at each request.

A revoked token, a removed operator and other labels count from the next request on, in every console of the fleet; a
stream ends within a second.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final, Protocol
from urllib.parse import parse_qs

from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from adapter.clock import Clock
from adapter.port import Denied
from adapter.privacy.secret import Secret
from adapter.rules.failed_attempts import FailedAttempts, client_of
from extension.api.auth.audit_trail import AuditTrail
from extension.api.auth.auth_proxy import AuthProxy
from extension.api.auth.authenticator import Principal, presented_key, session_tokens
from extension.api.auth.operator_access import Credential, OperatorAccess
from extension.api.auth.refusals import (
    CSRF_HEADER,
    csrf_missing,
    no_role,
    no_session,
    pool_unknown,
    refusal,
    role_insufficient,
    wrong_token,
)
from extension.api.auth.role_table import SAFE_METHODS, Reach, is_change, needs_by_path
from extension.api.auth.sessions import Sessions, SignIn, same_csrf
from extension.api.paths import Paths
from extension.api.problems import Problem
from extension.engine.operators.audit import AuditEntry, AuditLog
from extension.engine.operators.operators import Operators, digest_of
from extension.engine.operators.permission import Operator, Refusal, has_rank, refusal_of
from extension.store.errors import StoreError

SELECTED_POOL: Final = "poolkeeper.pool"
"""Name of the gateway in the scope of a request whose query has lost it on the way."""
_RECENT_SECONDS: Final = 0.25
_MOST_RECENT: Final = 1_000
_NO_SUCH_PATH: Final = 404
_WRONG_TOKEN: Final = wrong_token().view.code


class PoolLabels(Protocol):
    """Labels of the gateways of a fleet."""

    async def labels_of(self, pool: str) -> Mapping[str, str] | None:
        """Return the labels of a gateway by its name, of the only one by an empty name; None where there is none."""


class FleetAccess:
    """Judge of requests in a fleet; see `extension.api.auth.authenticator.Access`."""

    def __init__(
        self,
        operators: Operators,
        audit: AuditLog,
        sessions: Sessions,
        clock: Clock,
        *,
        pools: PoolLabels,
        paths: Paths,
        proxy: AuthProxy | None = None,
    ) -> None:
        self.operators = operators
        self.audit = audit
        self._sessions = sessions
        self._clock = clock
        self._pools = pools
        self._needs = needs_by_path(paths)
        self._proxy = proxy or AuthProxy()
        self._failures = FailedAttempts(clock)
        self._recent: dict[Credential, tuple[float, Operator | None]] = {}

    async def identify(self, connection: HTTPConnection, method: str) -> Principal:
        """See `Access`; a refused change is recorded."""
        path = connection.scope["path"]
        need, pool = self._needs.get((method, path)), _pool_of(connection)
        entry = AuditEntry("", "", self._proxy.client_of(connection), pool or "", method, path)
        try:
            operator, credential, session = await self._operator(connection)
            entry = replace(entry, operator=operator.name, credential=credential.name)
            if need is None:
                raise HTTPException(_NO_SUCH_PATH)
            operator_access = OperatorAccess(operator, credential, need, pool or "")
            self._require_csrf(connection, method, credential, session)
            if (refused := pool_unknown() if pool is None else await self._refusal(operator_access)) is not None:
                raise refused
            return Principal(operator.name, entry.address, token=session, operator_access=operator_access)
        except Problem as problem:
            code = problem.view.code
            if need is not None and is_change(method, need) and (entry.operator or code == _WRONG_TOKEN):
                await self.audit.refused(entry, problem.status, code)
            raise

    async def session(self, connection: HTTPConnection, *, unsafe: bool) -> SignIn:
        """See `Access`; a user of a proxy needs no cookie, and gets a CSRF token."""
        _, credential, session = await self._operator(connection)
        if not credential.is_session and not credential.user:
            raise no_session(had_cookie=False)
        if unsafe:
            self._require_csrf(connection, "POST", credential, session)
        return self._sign_in(credential, session)

    async def mark_of(self, token: Secret, connection: HTTPConnection) -> str:
        """See `Access`."""
        _, credential = await self._by_token(token, connection)
        return credential.digest

    async def loss(self, principal: Principal) -> Problem | None:
        """See `Access`; a database that is away changes nothing."""
        operator_access = principal.operator_access
        if operator_access is None or (principal.token and self._digest_of_session(principal.token) is None):
            return no_session(had_cookie=True)
        try:
            operator = await self._recent_operator(operator_access.credential)
            if operator is None:
                return no_session(had_cookie=True) if principal.token else wrong_token()
            return await self._refusal(replace(operator_access, operator=operator))
        except StoreError:
            return None

    async def serve(self, inside: ASGIApp, scope: Scope, receive: Receive, send: Send, principal: Principal) -> None:
        """See `Access`."""
        operator_access = principal.operator_access
        if operator_access is None or not is_change(scope["method"], operator_access.need):
            await inside(scope, receive, send)
            return
        who = (operator_access.operator.name, operator_access.credential.name, principal.peer)
        entry = AuditEntry(*who, operator_access.pool, scope["method"], scope["path"])
        await AuditTrail(self.audit, entry, inside)(scope, receive, send)

    async def _operator(self, connection: HTTPConnection) -> tuple[Operator, Credential, str]:
        """Return operator and credential of a request, and the token of its session, empty without one."""
        key = presented_key(connection)
        if key is not None:
            return (*await self._by_token(key, connection), "")
        if (named := self._proxy.user_of(connection)) is not None:
            credential = Credential(user=named[0], groups=named[1])
            operator = await self._by_credential(credential)
            if operator is None:
                raise no_role()
            return operator, credential, ""
        tokens = session_tokens(connection)
        for session in tokens:
            digest = self._digest_of_session(session)
            match = None if digest is None else await self.operators.by_digest(digest)
            if match is not None and digest is not None:
                return match[0], Credential(match[1], digest, is_session=True), session
        raise no_session(had_cookie=bool(tokens))

    async def _by_token(self, token: Secret, connection: HTTPConnection) -> tuple[Operator, Credential]:
        client = client_of(self._proxy.client_of(connection), connection.headers.get("Sec-Fetch-Site", ""))
        if (ban := self._failures.ban(client)) is not None:
            raise refusal(Denied(403, f'{{"error": "{ban.text}"}}', ban.seconds))
        digest = digest_of(token)
        match = await self.operators.by_digest(digest)
        if match is None:
            self._failures.count(client)
            raise wrong_token()
        self._failures.forgive(client)
        return match[0], Credential(match[1], digest)

    async def _by_credential(self, credential: Credential) -> Operator | None:
        """Look an operator up; one who was added by name has the role and labels of then, whatever the groups."""
        if credential.user:
            added = await self.operators.by_name(credential.user)
            return added or self._proxy.operator_of(credential.user, credential.groups)
        match = await self.operators.by_digest(credential.digest)
        return None if match is None else match[0]

    async def _recent_operator(self, credential: Credential) -> Operator | None:
        """Look an operator up for a stream, which asks before each of its frames."""
        now = self._clock.monotonic()
        read_at, operator = self._recent.pop(credential, (None, None))
        if read_at is None or now - read_at >= _RECENT_SECONDS:
            read_at, operator = now, await self._by_credential(credential)
        while len(self._recent) >= _MOST_RECENT:
            del self._recent[next(iter(self._recent))]
        self._recent[credential] = (read_at, operator)
        return operator

    async def _refusal(self, operator_access: OperatorAccess) -> Problem | None:
        operator, need = operator_access.operator, operator_access.need
        if need.reach is Reach.FLEET and not (operator.labels and operator_access.pool):
            return None if has_rank(operator.role, need.role) else role_insufficient()
        match refusal_of(operator, need.role, await self._pools.labels_of(operator_access.pool)):
            case Refusal.POOL:
                return pool_unknown()
            case Refusal.ROLE:
                return role_insufficient()
        return None

    def _digest_of_session(self, session: str) -> str | None:
        """Return the hash of the token that a session was opened with; None where it is not open."""
        digest = self._sessions.bound_to(session)
        return None if digest is None or self._sessions.find(session, digest) is None else digest

    def _sign_in(self, credential: Credential, session: str) -> SignIn:
        if credential.user:
            return self._sessions.without_cookie(credential.user)
        sign_in = self._sessions.find(session, credential.digest)
        if sign_in is None:
            raise no_session(had_cookie=True)
        return sign_in

    def _require_csrf(self, connection: HTTPConnection, method: str, credential: Credential, session: str) -> None:
        if method in SAFE_METHODS or not (credential.is_session or credential.user):
            return
        if not same_csrf(self._sign_in(credential, session), connection.headers.get(CSRF_HEADER, "")):
            raise csrf_missing()


def _pool_of(connection: HTTPConnection) -> str | None:
    """Return the gateway that a request names, empty without one; None where it names several."""
    if (selected := connection.scope.get(SELECTED_POOL)) is not None:
        return str(selected)
    query = parse_qs(connection.scope.get("query_string", b"").decode("latin-1"), keep_blank_values=True)
    names = query.get("pool", [""])
    return names[0] if len(names) == 1 else None
