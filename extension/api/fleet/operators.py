"""`poolkeeper/fleet/operators` and `fleet/tokens`: operators of a fleet, with roles and labels, and their tokens."""

from typing import Annotated

from fastapi import Depends, Query
from starlette.exceptions import HTTPException

from extension.api.auth.authenticator import Asking
from extension.api.auth.fleet_access import FleetAccess
from extension.api.payloads.operators import (
    IssuedTokenView,
    OperatorEdit,
    OperatorName,
    OperatorRequest,
    OperatorsAnswer,
    OperatorView,
    TokenRequest,
)
from extension.api.payloads.payload import Payload, QueriedId
from extension.api.routes import Routes
from extension.api.services import Served
from extension.engine.operators.operators import Operators
from extension.engine.operators.permission import Operator


class OperatorChoice(Payload):
    """The operator to remove."""

    name: OperatorName


class TokenChoice(Payload):
    """The token to revoke."""

    token: QueriedId


async def _access(services: Served) -> FleetAccess:
    access = services.authenticator.access
    if not isinstance(access, FleetAccess):
        raise HTTPException(404)
    return access


Fleet = Annotated[FleetAccess, Depends(_access)]
"""Parameter type of a resource that is there in a fleet alone."""

route = Routes("fleet")


@route("GET", "fleet/operators")
async def read_operators(access: Fleet) -> OperatorsAnswer:
    """Answer all operators with their tokens, which are never shown again."""
    return await _answer(access.operators)


@route("POST", "fleet/operators")
async def add(body: OperatorRequest, access: Fleet, asking: Asking) -> OperatorsAnswer:
    """Add an operator; a name that is taken is 409 `operator_exists`, an admin with labels 409 `admin_limited`."""
    await access.operators.add(Operator(body.name, body.role, body.labels), asking.actor)
    return await _answer(access.operators)


@route("PUT", "fleet/operators")
async def edit(body: OperatorEdit, access: Fleet) -> OperatorsAnswer:
    """Change role or labels of an operator, from the next request on; the only admin stays one (409 `last_admin`)."""
    await access.operators.edit(body.name, body.role, body.labels)
    return await _answer(access.operators)


@route("DELETE", "fleet/operators", status_code=204)
async def remove(query: Annotated[OperatorChoice, Query()], access: Fleet) -> None:
    """Remove an operator with all tokens, at once; the only admin stays (409 `last_admin`)."""
    await access.operators.remove(query.name)


@route("POST", "fleet/tokens", status_code=201)
async def issue(body: TokenRequest, access: Fleet, asking: Asking) -> IssuedTokenView:
    """Make a token, and show it this once."""
    issued = await access.operators.issue(body.operator, body.days, body.note, asking.actor)
    return IssuedTokenView.showing(issued.record, token=issued.token.reveal())


@route("DELETE", "fleet/tokens", status_code=204)
async def revoke(query: Annotated[TokenChoice, Query()], access: Fleet) -> None:
    """Revoke a token at once: its requests are refused, and its sessions and streams end."""
    await access.operators.revoke(query.token)


async def _answer(operators: Operators) -> OperatorsAnswer:
    return OperatorsAnswer(operators=tuple(OperatorView.of(*row) for row in await operators.everyone()))
