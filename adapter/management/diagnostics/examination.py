"""Examination of a gateway: its release, its working endpoints, the cost of a call; nothing is changed.

Reads are made. Endpoints that only write, or remove the records they return, are tried with a request the gateway has
to refuse, because it names nothing; where no such request exists, the read at the same path is judged.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Any, Final

from adapter.contract.expectations import CONTRACT, HEALTH, Endpoint, management
from adapter.management.client.guarded_client import GuardedClient
from adapter.management.client.interpreting import PathUnknown
from adapter.management.client.release import Feature, Release
from adapter.management.client.transport import Request
from adapter.management.connection import ManagementConnection
from adapter.management.diagnostics.advice import Advice, advise
from adapter.management.diagnostics.call_cost import CallCost, IdProof, measure_calls, prove_ids
from adapter.management.diagnostics.losses import losses
from adapter.port import About, Capability, Document, Pool, Section, errors
from adapter.rules.config_text import ConfigTextInvalid, config_values

_REFUSED: Final = {
    management("auth-files/status"): (
        Request("PATCH", management("auth-files/status"), body=b"{}"),
        "tried with a change that names no account, which is refused",
    ),
    management("usage-queue"): (
        Request("GET", management("usage-queue"), {"count": "none"}),
        (
            "tried with a count that is no number, which is refused: nothing was taken out of the queue; another"
            " program that pops it takes records unseen, so let one program alone pop, or have all of them subscribe"
        ),
    ),
}
"""Endpoints that cannot be read without harm, each with a request the gateway refuses, and the note about it."""
_UNKNOWN_IDS: Final = Advice(
    "unknown_ids",
    "The gateway knows no enabled key under the id its release should give it, so a single key cannot be switched by"
    " its id: switch several at once, or upgrade the gateway.",
)
_BAD_REQUEST: Final = 400
_BY_READING: Final = "judged by reading the same path; no write is sure to be refused, so none is tried"


class DiagnosticFinding(StrEnum):
    """State of an endpoint."""

    WORKS = "works"
    MISSING = "missing"
    TROUBLE = "trouble"


@dataclass(frozen=True, slots=True)
class EndpointFinding:
    """One endpoint of the contract, its state, and a note on how it was found."""

    method: str
    path: str
    finding: DiagnosticFinding
    note: str


@dataclass(frozen=True, slots=True)
class Examination:
    """Result of an examination."""

    address: str
    about: About
    accounts: int
    enabled: int
    files: int
    skipped: int
    endpoints: tuple[EndpointFinding, ...]
    hints: tuple[Advice, ...]
    ids: IdProof = IdProof.OPEN
    cost: CallCost | None = None
    """None where the gateway makes no calls."""
    lacks: tuple[str, ...] = ()
    """Features of later versions that this one lacks, each with its first version."""


async def examine(connection: ManagementConnection) -> Examination:
    """Examine the gateway of a bound connection.

    Raises:
        GatewayError: it cannot be examined at all: not reached, the key refused, management off.
    """
    about = await connection.gateway.describe()
    pool = await connection.gateway.accounts()
    document = await connection.gateway.configuration()
    release = await connection.client.release()
    ids = await prove_ids(connection.client, pool)
    endpoints = [
        await _look(connection.client, release, endpoint) for endpoint in (*CONTRACT, Endpoint("GET", HEALTH, ""))
    ]
    return Examination(
        address=connection.client.address,
        about=about,
        accounts=len(pool.accounts),
        enabled=sum(account.enabled is True for account in pool.accounts),
        files=sum(not account.runtime_only for account in pool.accounts),
        skipped=len(pool.skipped),
        endpoints=tuple(endpoints),
        hints=await _hints(connection, document, pool, ids, rewrites=not release.own),
        ids=ids,
        cost=await _cost(connection, about),
        lacks=release.lacks(),
    )


async def _hints(
    connection: ManagementConnection, document: Document, pool: Pool, ids: IdProof, *, rewrites: bool
) -> tuple[Advice, ...]:
    values = _values(document)
    shown = {section: await connection.gateway.section_entries(section) for section in Section}
    entries_of = {section: entries for section, entries in shown.items() if entries is not None}
    refuted = (_UNKNOWN_IDS,) if ids is IdProof.REFUTED else ()
    return (
        *advise(values, connection.client.cost, len(pool.accounts)),
        *refuted,
        *losses(values, entries_of, rewrites=rewrites),
    )


async def _cost(connection: ManagementConnection, about: About) -> CallCost | None:
    """Measure a real call; None where the gateway does not make it."""
    if Capability.CALL not in about.capabilities:
        return None
    try:
        return await measure_calls(connection.client, connection.clock)
    except (errors.Unauthorised, errors.Banned):
        raise
    except errors.GatewayError:
        return None


async def _look(client: GuardedClient, release: Release, endpoint: Endpoint) -> EndpointFinding:
    """Look at one endpoint of the contract."""
    finding = partial(EndpointFinding, endpoint.method, endpoint.path)
    if endpoint.path == HEALTH and not release.has(Feature.HEALTH):
        return finding(DiagnosticFinding.MISSING, "this version has it not yet")
    request, note = _REFUSED.get(endpoint.path, (None, "" if endpoint.method == "GET" else _BY_READING))
    try:
        if request is None:
            await client.fetch(endpoint.path)
        elif (await client.once(request, {_BAD_REQUEST})).status != _BAD_REQUEST:
            return finding(DiagnosticFinding.TROUBLE, "it takes a request that names nothing, which it has to refuse")
    except PathUnknown:
        return finding(DiagnosticFinding.MISSING, "the gateway has no such path")
    except (errors.Unauthorised, errors.Banned):
        raise
    except errors.GatewayError as error:
        return finding(DiagnosticFinding.TROUBLE, error.text)
    return finding(DiagnosticFinding.WORKS, note)


def _values(document: Document) -> Mapping[str, Any]:
    """Return the values of the configuration; none while it is broken, which the gateway's log reports."""
    try:
        return config_values(document.text.reveal())
    except ConfigTextInvalid:
        return {}
