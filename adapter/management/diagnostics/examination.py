"""Examining a gateway: what it is, what of it works, what a call costs; nothing is changed.

A path that is read is read. What only writes, or takes away what it reads, is tried with a request the gateway has to
refuse, because it names nothing; where no such request exists, the read at the same path is what is judged.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from adapter.contract.expectations import CONTRACT, HEALTH, Endpoint, management
from adapter.management.client.guarded_client import GuardedClient
from adapter.management.client.interpreting import PathUnknown
from adapter.management.client.release import Feature, Release
from adapter.management.client.transport import Request
from adapter.management.connection import ManagementConnection
from adapter.management.diagnostics.advice import Advice, hints
from adapter.port import About, Document, Pool, errors
from adapter.rules.config_text import ConfigTextInvalid, config_values

_REFUSED: Final = {
    management("auth-files/status"): (
        Request("PATCH", management("auth-files/status"), body=b"{}"),
        "tried with a change that names no account, which is refused",
    ),
    management("usage-queue"): (
        Request("GET", management("usage-queue"), {"count": "none"}),
        "tried with a count that is no number, which is refused: nothing was taken out of the queue",
    ),
}
"""What cannot be read without harm, the request the gateway refuses, and what to say of it."""
_BAD_REQUEST: Final = 400
_BY_READING: Final = "judged by reading the same path; no write is sure to be refused, so none is tried"


class DiagnosticFinding(StrEnum):
    """What is known of an endpoint."""

    WORKS = "works"
    MISSING = "missing"
    TROUBLE = "trouble"


@dataclass(frozen=True, slots=True)
class EndpointFinding:
    """One endpoint of the contract, what was found, and how or why not."""

    method: str
    path: str
    finding: DiagnosticFinding
    note: str


@dataclass(frozen=True, slots=True)
class Examination:
    """Everything an examination found."""

    address: str
    about: About
    accounts: int
    enabled: int
    files: int
    skipped: int
    endpoints: tuple[EndpointFinding, ...]
    hints: tuple[Advice, ...]
    lacks: tuple[str, ...] = ()
    """What later versions have and this one has not, each with the version that brought it."""


async def examine(connection: ManagementConnection) -> Examination:
    """Examine the gateway of a bound connection.

    Raises:
        GatewayError: it cannot be examined at all: not reached, the key refused, management off.
    """
    about = await connection.gateway.describe()
    pool = await connection.gateway.accounts()
    document = await connection.gateway.configuration()
    release = await connection.link.release()
    endpoints = [
        await _look(connection.link, release, endpoint) for endpoint in (*CONTRACT, Endpoint("GET", HEALTH, ""))
    ]
    return Examination(
        address=connection.link.address,
        about=about,
        accounts=len(pool.accounts),
        enabled=sum(account.enabled is True for account in pool.accounts),
        files=_files(pool),
        skipped=len(pool.skipped),
        endpoints=tuple(endpoints),
        hints=hints(_values(document), about.seconds_per_call, len(pool.accounts)),
        lacks=release.lacks(),
    )


async def _look(link: GuardedClient, release: Release, endpoint: Endpoint) -> EndpointFinding:
    """Look at one endpoint of the contract."""
    finding, note = await _found(link, release, endpoint)
    return EndpointFinding(endpoint.method, endpoint.path, finding, note)


async def _found(link: GuardedClient, release: Release, endpoint: Endpoint) -> tuple[DiagnosticFinding, str]:
    if endpoint.path == HEALTH and not release.has(Feature.HEALTH):
        return DiagnosticFinding.MISSING, "this version has it not yet"
    request, note = _REFUSED.get(endpoint.path, (None, "" if endpoint.method == "GET" else _BY_READING))
    try:
        if request is None:
            await link.fetch(endpoint.path)
        elif (await link.once(request, {_BAD_REQUEST})).status != _BAD_REQUEST:
            return DiagnosticFinding.TROUBLE, "it takes a request that names nothing, which it has to refuse"
    except PathUnknown:
        return DiagnosticFinding.MISSING, "the gateway has no such path"
    except (errors.Unauthorised, errors.Banned):
        raise
    except errors.GatewayError as error:
        return DiagnosticFinding.TROUBLE, error.text
    return DiagnosticFinding.WORKS, note


def _values(document: Document) -> Mapping[str, Any]:
    """Return what the configuration says; nothing where it is broken at this moment, as the gateway's log tells."""
    try:
        return config_values(document.text.reveal())
    except ConfigTextInvalid:
        return {}


def _files(pool: Pool) -> int:
    return sum(not account.runtime_only for account in pool.accounts)
