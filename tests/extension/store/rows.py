"""Rows for tests: one pool with accounts and a run."""

from dataclasses import replace

import pytest

from extension.reasons.codes import ReasonCode
from extension.reasons.reason import because
from extension.store.database.database import Transaction
from extension.store.pool import accounts, pools
from extension.store.pool.recognition import identity
from extension.store.records import AccountFacts, AttemptRecord, NewResult, RunRecord
from extension.store.runs import runs

BOTH_DATABASES = pytest.mark.parametrize("storage", ["sqlite", "postgresql"], indirect=True)
"""Runs a test that takes `database` or `storage` on SQLite and on PostgreSQL."""
NOW = 1_700_000_000_000

FACTS = AccountFacts(
    source="api_key",
    fingerprint="f1",
    auth_index="0123456789abcdef",
    gateway_id="openai-compatibility:demo:1",
    family="compat",
    display_name="Demo",
    provider="openai-compatible-demo",
    label="",
    compat_name="demo",
    base_url="http://127.0.0.1:9",
    file_name="",
)


def add_pool(transaction: Transaction, name: str = "default") -> int:
    return pools.ensure(transaction, name, NOW)


def add_accounts(transaction: Transaction, pool_id: int, count: int) -> tuple[int, ...]:
    facts = [replace(FACTS, fingerprint=f"f{number}") for number in range(count)]
    known = accounts.remember(transaction, pool_id, facts, NOW)
    return tuple(known[identity(account)].id for account in facts)


def add_run(transaction: Transaction, pool_id: int, account_ids: tuple[int, ...]) -> RunRecord:
    run = runs.NewRun(pool_id, "api_key", "compat", {"workers": 2}, account_ids, "anna", "owner", 0.0125)
    return runs.create(transaction, run, NOW)


def a_result(run_id: int, account_id: int, verdict: str = "healthy", action: str = "keep") -> NewResult:
    return NewResult(
        run_id=run_id,
        account_id=account_id,
        account_source="api_key",
        family="compat",
        display_name="Demo",
        provider="openai-compatible-demo",
        base_url="http://127.0.0.1:9",
        enabled=True,
        verdict=verdict,
        action=action,
        reason=because(ReasonCode.KEY_ACCEPTED, details="(HTTP 200)"),
        status=200,
        latency_ms=12,
        attempts=(AttemptRecord("GET", "http://127.0.0.1:9/v1/models", 200, 12, ""),),
        preview="",
        headers={"retry-after": "3"},
        at=NOW,
    )
