"""One account of the gateway, and one action on it; tests replace the parts that they are about."""

from typing import Final

from adapter.port import Account, KeyRef, Revision, Section, Switch
from extension.reasons.reason import NO_REASON, ReasonList
from extension.store.records import ActionOutcome, ActionRecord, ActorKind

ENTRY: Final = Account(
    ref=KeyRef(Section.COMPAT, "demo:1"),
    fingerprint="f",
    auth_index="0123456789abcdef",
    names=("demo:1",),
    provider="openai-compatible-demo",
    label="demo",
    compat_name="demo",
    base_url="http://demo.example",
    enabled=True,
    runtime_only=True,
    listed=True,
    probeable=True,
    switch=Switch.PROVIDER,
    switch_reason="",
    revision=Revision("r1"),
)
ACTION: Final = ActionRecord(
    id=7,
    account_id=1,
    display_name="demo",
    action="disable",
    outcome=ActionOutcome.PENDING,
    text=NO_REASON,
    actor="anna",
    actor_kind=ActorKind.PERSON,
    reason=ReasonList(written="why"),
    evidence={},
    before={},
    after=None,
    at=1_700_000_000_000,
    settled_at=None,
    run_id=None,
)
