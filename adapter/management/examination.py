"""Examining a gateway: what it is, what of it works, what a call costs; by reading only."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import yaml

from adapter.expectations import CONTRACT, HEALTH, Endpoint, management
from adapter.management.connection import ManagementConnection
from adapter.management.hints import Hint, hints
from adapter.management.interpreting import PathUnknown
from adapter.management.link import Link
from adapter.port import About, Pool, errors

_QUEUE: Final = management("usage-queue")
_STATUS: Final = management("auth-files/status")


class Finding(StrEnum):
    """What is known of an endpoint."""

    WORKS = "works"
    MISSING = "missing"
    TROUBLE = "trouble"
    NOT_TRIED = "not-tried"


@dataclass(frozen=True, slots=True)
class EndpointFinding:
    """One endpoint of the contract, what was found, and how or why not."""

    method: str
    path: str
    finding: Finding
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
    hints: tuple[Hint, ...]


async def examine(connection: ManagementConnection) -> Examination:
    """Examine the gateway of a bound connection. Nothing is changed and no usage is taken out of its queue.

    Raises:
        GatewayError: it cannot be examined at all: not reached, the key refused, management off.
    """
    about = await connection.gateway.describe()
    pool = await connection.gateway.accounts()
    document = await connection.gateway.configuration()
    parsed = yaml.load(document.text.reveal(), yaml.CSafeLoader)
    endpoints = [await _look(connection.link, endpoint) for endpoint in (*CONTRACT, Endpoint("GET", HEALTH, ""))]
    return Examination(
        address=connection.link.address,
        about=about,
        accounts=len(pool.accounts),
        enabled=sum(account.enabled is True for account in pool.accounts),
        files=_files(pool),
        skipped=len(pool.skipped),
        endpoints=tuple(endpoints),
        hints=hints(parsed if isinstance(parsed, dict) else {}, about.seconds_per_call, len(pool.accounts)),
    )


async def _look(link: Link, endpoint: Endpoint) -> EndpointFinding:
    """Look at one endpoint: a read is made, a write is judged by the read at the same path."""
    finding, note = await _found(link, endpoint)
    return EndpointFinding(endpoint.method, endpoint.path, finding, note)


async def _found(link: Link, endpoint: Endpoint) -> tuple[Finding, str]:
    if endpoint.path == _QUEUE:
        return Finding.NOT_TRIED, "reading it would take usage out of it"
    if endpoint.path == _STATUS:
        return Finding.NOT_TRIED, "it only writes"
    try:
        await link.fetch(endpoint.path)
    except PathUnknown:
        return Finding.MISSING, "the gateway has no such path"
    except (errors.Unauthorised, errors.Banned):
        raise
    except errors.GatewayError as error:
        return Finding.TROUBLE, error.text
    return Finding.WORKS, "" if endpoint.method == "GET" else "judged by reading the same path; nothing is written"


def _files(pool: Pool) -> int:
    return sum(not account.runtime_only for account in pool.accounts)
