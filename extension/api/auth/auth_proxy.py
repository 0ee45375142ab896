"""Users and groups whom a trusted authenticating proxy names in headers.

Only the TCP peer decides: from any other address the headers mean nothing.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Self

from starlette.requests import HTTPConnection

from extension.api.auth.sessions import Network, listed, networks_of, within
from extension.engine.operators.permission import NAME_PATTERN, Operator, Role, has_rank, roles_of_groups

TCP_PEER = "poolkeeper.peer"
"""Extension in the ASGI scope with the address of the TCP peer, where a server has put the client's in its place."""

_USER = "X-Forwarded-User"
_GROUPS = "X-Forwarded-Groups"


@dataclass(frozen=True, slots=True)
class AuthProxy:
    """Proxies that name users, and the roles of groups."""

    networks: tuple[Network, ...] = ()
    roles: Mapping[str, Role] = field(default_factory=dict)

    @classmethod
    def of(cls, trusted_proxies: str, group_roles: str) -> Self:
        """Read the settings; `ValueError` where one cannot be used."""
        return cls(networks_of(listed(trusted_proxies)), roles_of_groups(group_roles))

    def user_of(self, connection: HTTPConnection) -> tuple[str, tuple[str, ...]] | None:
        """Return user and groups of a request; None from other peers, or without just one user of a fitting name."""
        users = connection.headers.getlist(_USER)
        if len(users) != 1 or re.fullmatch(NAME_PATTERN, users[0].strip()) is None:
            return None
        if not self.roles or not within(_peer(connection), self.networks):
            return None
        groups = (group for line in connection.headers.getlist(_GROUPS) for group in listed(line))
        return users[0].strip(), tuple(groups)

    def client_of(self, connection: HTTPConnection) -> str:
        """Return the address of the client: behind trusted proxies the last one that is none of them."""
        client = _peer(connection)
        chain = [hop for line in connection.headers.getlist("X-Forwarded-For") for hop in listed(line)]
        while chain and within(client, self.networks):
            client = chain.pop()
        return client

    def operator_of(self, user: str, groups: tuple[str, ...]) -> Operator | None:
        """Return the operator that the groups of a user make, with the highest of their roles."""
        role = None
        for group in groups:
            offered = self.roles.get(group)
            if offered is not None and (role is None or has_rank(offered, role)):
                role = offered
        return None if role is None else Operator(user, role)


def _peer(connection: HTTPConnection) -> str:
    peer: str = connection.scope.get("extensions", {}).get(TCP_PEER, "")
    return peer or (connection.client.host if connection.client else "")
