from collections.abc import Mapping
from random import Random
from typing import Any

from adapter.port import Account, Answer, FileRef, KeyRef, NoAnswer, NoAnswerKind, Revision, Section, Switch
from extension.inspection.probes.judgement import Judgement, judge
from extension.inspection.probes.plan import ProbePlan, next_request, plan_probe
from extension.inspection.requests.outcome import Attempt, GatewayTrouble
from extension.inspection.settings import InspectionSettings, parse_settings

KEY_SETTINGS = parse_settings({"accountSource": "api_key", "evidenceChecks": False})
"""Settings of the literal table: each answer counts by its status."""

PROVIDERS = {
    section: "openai-compatible-alpha" if section.holds_providers else section.row.provider for section in Section
}

MODELS_BODY = '{"object":"list","data":[{"id":"m"}]}'
CHAT_BODY = '{"choices":[{"message":{"role":"assistant","content":"pong"}}]}'
MESSAGES_BODY = '{"type":"message","content":[{"type":"text","text":"pong"}]}'
NATIVE_BODY = '{"models":[{"name":"models/m"}]}'
GENERATE_BODY = '{"candidates":[{"content":{"parts":[{"text":"pong"}]}}]}'

Reply = Answer | NoAnswer | GatewayTrouble


def chance(seed: int) -> Random:
    return Random(seed)


def key_account(section: Section | None = Section.COMPAT, **changes: Any) -> Account:
    values: dict[str, Any] = {
        "ref": KeyRef(section, "entry-1"),
        "fingerprint": "f" * 64,
        "auth_index": "0123456789abcdef",
        "names": ("entry-1", "0123456789abcdef"),
        "provider": PROVIDERS[section] if section else "somebody",
        "label": "Alpha",
        "compat_name": "",
        "base_url": "http://127.0.0.1:9/base",
        "enabled": True,
        "runtime_only": True,
        "listed": True,
        "probeable": True,
        "switch": Switch.ENTRY,
        "switch_reason": "",
        "revision": Revision("r1"),
    }
    return Account(**{**values, **changes})


def file_account(**changes: Any) -> Account:
    values: dict[str, Any] = {
        "ref": FileRef("claude-a.json"),
        "provider": "claude",
        "label": "ada@example.com",
        "base_url": None,
        "runtime_only": False,
        "switch": Switch.FILE,
        "source_kind": "file",
        "account_type": "oauth",
        "file_name": "claude-a.json",
    }
    return key_account(None, **{**values, **changes})


def answer(
    status: int, body: str = "{}", header: Mapping[str, str] | None = None, *, truncated: bool = False
) -> Answer:
    header_lists = {name: (value,) for name, value in (header or {}).items()}
    return Answer(status=status, header=header_lists, body=body, truncated=truncated, elapsed=0.25)


def silence(kind: NoAnswerKind = NoAnswerKind.TIMEOUT, detail: str = "no answer within 15 s") -> NoAnswer:
    return NoAnswer(kind=kind, detail=detail, elapsed=15.0)


def planned(account: Account, settings: InspectionSettings = KEY_SETTINGS, seed: int = 1) -> ProbePlan:
    plan = plan_probe(account, settings, chance(seed))
    assert isinstance(plan, ProbePlan)
    return plan


def probe(plan: ProbePlan, *replies: Reply) -> tuple[Attempt, ...]:
    attempts: list[Attempt] = []
    for reply in replies:
        request = next_request(plan, attempts)
        assert request is not None, "the probe was over before this reply"
        attempts.append(Attempt(request, reply))
    assert next_request(plan, attempts) is None, "the probe is not over"
    return tuple(attempts)


def judged(account: Account, *replies: Reply, settings: InspectionSettings = KEY_SETTINGS) -> Judgement:
    plan = planned(account, settings)
    return judge(plan, probe(plan, *replies), settings)
