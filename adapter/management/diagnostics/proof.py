"""Proof of the rule for ids, by reading the models of an enabled entry under its computed id."""

from enum import StrEnum
from typing import Final

from adapter.contract.expectations import management
from adapter.management.client.guarded_client import GuardedClient
from adapter.management.client.interpreting import PathUnknown
from adapter.port import KeyRef, Pool, Section, Switch

_MODELS: Final = management("auth-files/models")
_MOST: Final = 5
"""Most entries tried: one may offer no models for reasons of its own."""


class IdProof(StrEnum):
    """Result of the attempt to prove the rule for ids."""

    PROVEN = "proven"
    REFUTED = "refuted"
    OPEN = "open"
    """No entry of a key section is enabled, or the gateway does not list models by id."""


async def prove_ids(client: GuardedClient, pool: Pool) -> IdProof:
    """Ask for the models of enabled entries until one answers to its computed id.

    Raises:
        GatewayError: the gateway could not be asked.
    """
    candidates = _candidates(pool)
    for ref in candidates:
        try:
            answer = await client.read(_MODELS, name=ref.entry_id)
        except PathUnknown:
            return IdProof.OPEN
        if isinstance(answer, dict) and answer.get("models"):
            return IdProof.PROVEN
    return IdProof.REFUTED if candidates else IdProof.OPEN


def _candidates(pool: Pool) -> list[KeyRef]:
    """Return references of enabled entries of key sections, the first of each section before any second one."""
    found: dict[Section | None, list[KeyRef]] = {}
    for account in pool.accounts:
        if isinstance(account.ref, KeyRef) and account.switch is Switch.ENTRY and account.enabled and account.listed:
            found.setdefault(account.ref.section, []).append(account.ref)
    first = [refs[0] for refs in found.values()]
    return [*first, *(ref for refs in found.values() for ref in refs[1:])][:_MOST]
