"""Operators, tokens and the audit on both databases."""

import pytest

from extension.store.database.database import Database, Transaction
from extension.store.operators import audit, operators
from extension.store.operators.audit import AuditFilter, AuditOutcome
from tests.extension.store.rows import BOTH_DATABASES, NOW

ENTRY = {
    "at": NOW, "operator": "ann", "credential": "token 1", "address": "10.0.0.1", "pool": "paris", "method": "POST",
    "path": "/v0/management/usage/import", "reason": "", "outcome": "begun", "status": None, "code": "",
    "ended_at": None,
}  # fmt: skip


def add_operator(transaction: Transaction, name: str) -> int:
    values = {"name": name, "role": "viewer", "labels": {"region": "eu"}, "added_by": "test", "added_at": NOW}
    record = operators.add(transaction, values)
    assert record is not None
    token = {"operator_id": record.id, "digest": f"digest of {name}", "note": "", "added_by": "test", "added_at": NOW}
    return operators.add_token(transaction, {**token, "expires_at": NOW + 10}).id


@BOTH_DATABASES
async def test_a_token_leads_to_its_operator_until_it_expires_or_is_revoked(database: Database) -> None:
    def work(transaction: Transaction) -> list[bool]:
        add_operator(transaction, "ann")
        number = add_operator(transaction, "bob")
        match = operators.of_digest(transaction, "digest of bob", NOW)
        assert match is not None
        assert (match[0].name, match[0].labels, match[1]) == ("bob", {"region": "eu"}, number)
        expired = operators.of_digest(transaction, "digest of bob", NOW + 10) is None
        operators.remove_token(transaction, number)
        revoked = operators.of_digest(transaction, "digest of bob", NOW) is None
        ann = operators.get(transaction, "ann")
        assert ann is not None
        operators.remove(transaction, ann.id)
        return [expired, revoked, operators.of_digest(transaction, "digest of ann", NOW) is None]

    assert await database.write(work) == [True, True, True]


@BOTH_DATABASES
@pytest.mark.parametrize(
    ("conditions", "count"),
    [
        (AuditFilter(), 3),
        (AuditFilter(operator="ann"), 2),
        (AuditFilter(pool="ohio"), 1),
        (AuditFilter(path="usage/"), 2),
        (AuditFilter(path="usage_"), 0),
        (AuditFilter(path="%"), 0),
        (AuditFilter(outcome=AuditOutcome.DONE), 1),
        (AuditFilter(since=NOW + 1), 1),
    ],
)
async def test_the_audit_is_filtered_by_each_of_its_fields(
    database: Database, conditions: AuditFilter, count: int
) -> None:
    def work(transaction: Transaction) -> int:
        number = audit.add(transaction, ENTRY)
        audit.end(transaction, number, {"outcome": "done", "status": 200, "ended_at": NOW})
        audit.add(transaction, {**ENTRY, "operator": "bob", "pool": "ohio", "at": NOW + 1})
        audit.add(transaction, {**ENTRY, "path": "/v0/management/poolkeeper/pool/status"})
        return len(audit.page(transaction, conditions, None, 10))

    assert await database.write(work) == count
