import json
from dataclasses import replace

import pytest

from adapter.port import KeyRef, Section
from extension.inspection.evidence.verdict import Verdict
from extension.inspection.probes.plan import NoProbe, ProbePlan, plan_probe
from extension.inspection.requests.outcome import Stage
from extension.inspection.requests.vendors import Vendors
from extension.inspection.settings import parse_settings
from tests.extension.inspection.samples import KEY_SETTINGS, chance, key_account, planned

BEARER = {"Authorization": "Bearer $TOKEN$"}
NATIVE = {"x-goog-api-key": "$TOKEN$"}
ACCEPT = {"Accept": "application/json"}
JSON = {**ACCEPT, "Content-Type": "application/json"}
BASE = "http://127.0.0.1:9/base"
AT_HOME = "https://generativelanguage.googleapis.com"


def keys(**changes: object) -> dict[str, object]:
    return {"accountSource": "api_key", "evidenceChecks": False, **changes}


@pytest.mark.parametrize("section", [Section.COMPAT, Section.CODEX, Section.XAI])
def test_compat_and_vendor_c_ask_for_models_and_fall_back_to_a_chat(section: Section) -> None:
    plan = planned(key_account(section, models=("first", "second")))
    primary, fallback = plan.requests[Stage.PRIMARY], plan.requests[Stage.FALLBACK]

    assert set(plan.requests) == {Stage.PRIMARY, Stage.FALLBACK}
    assert (primary.method, primary.url, primary.body) == ("GET", f"{BASE}/v1/models", "")
    assert primary.header == {**ACCEPT, **BEARER}
    assert (fallback.method, fallback.url) == ("POST", f"{BASE}/v1/chat/completions")
    assert fallback.header == {**JSON, **BEARER}
    assert json.loads(fallback.body) == {
        "model": "first",
        "messages": [{"role": "user", "content": "ping"}],
        "max_tokens": 16,
    }


def test_vendor_b_sends_one_message_with_its_own_headers_and_has_no_fallback() -> None:
    plan = planned(key_account(Section.CLAUDE, base_url=f"{BASE}/v1/"), parse_settings(keys(probeModel="claude-x")))
    primary = plan.requests[Stage.PRIMARY]

    assert set(plan.requests) == {Stage.PRIMARY}
    assert (primary.method, primary.url) == ("POST", f"{BASE}/v1/messages")
    assert primary.header == {**JSON, "anthropic-version": "2023-06-01", "x-api-key": "$TOKEN$"}
    assert json.loads(primary.body) == {
        "model": "claude-x",
        "messages": [{"role": "user", "content": "ping"}],
        "max_tokens": 16,
    }


@pytest.mark.parametrize("section", [Section.GEMINI, Section.INTERACTIONS, Section.VERTEX])
def test_vendor_a_and_d_confirm_a_refusal_of_bearer_with_the_native_header_alone(section: Section) -> None:
    plan = planned(key_account(section, models=("m",)))
    urls = {stage: (request.method, request.url) for stage, request in plan.requests.items()}
    models, generate = ("GET", f"{BASE}/v1beta/models"), ("POST", f"{BASE}/v1beta/models/m:generateContent")

    assert urls == {
        Stage.PRIMARY: models,
        Stage.FALLBACK: generate,
        Stage.CONFIRMED_PRIMARY: models,
        Stage.CONFIRMED_FALLBACK: generate,
    }
    assert plan.requests[Stage.PRIMARY].header == {**ACCEPT, **BEARER}
    assert plan.requests[Stage.CONFIRMED_PRIMARY].header == {**ACCEPT, **NATIVE}
    assert plan.requests[Stage.CONFIRMED_FALLBACK].header == {**JSON, **NATIVE}
    assert json.loads(plan.requests[Stage.FALLBACK].body) == {
        "contents": [{"role": "user", "parts": [{"text": "ping"}]}],
        "generationConfig": {"maxOutputTokens": 16},
    }


@pytest.mark.parametrize("section", [Section.GEMINI, Section.VERTEX])
def test_on_the_vendors_own_hosts_the_native_header_is_sent_alone(section: Section) -> None:
    plan = planned(key_account(section, base_url=AT_HOME))

    assert set(plan.requests) == {Stage.PRIMARY, Stage.FALLBACK}
    assert plan.requests[Stage.PRIMARY].header == {**ACCEPT, **NATIVE}


@pytest.mark.parametrize("model", ["o1-mini", "o3", "vendor/o4-mini", "GPT-5-mini", "codex-mini-latest"])
def test_reasoning_models_get_the_cap_under_the_name_they_accept(model: str) -> None:
    plan = planned(key_account(models=(model,)))
    body = json.loads(plan.requests[Stage.FALLBACK].body)

    assert body["max_completion_tokens"] == 16
    assert "max_tokens" not in body


@pytest.mark.parametrize(
    ("section", "models", "probe_model", "model"),
    [
        (Section.COMPAT, (), "", "gpt-4o-mini"),
        (Section.GEMINI, (), "", "gemini-2.5-flash-lite"),
        (Section.CLAUDE, (), "", "claude-haiku-4-5"),
        (Section.CODEX, (), "", "gpt-5-mini"),
        (Section.VERTEX, (), "", "gemini-2.5-flash-lite"),
        (Section.COMPAT, ("a", "b"), "", "a"),
        (Section.CLAUDE, ("a",), " ", "a"),
        (Section.CLAUDE, ("a",), "mine", "mine"),
    ],
)
def test_the_model_is_the_setting_then_the_entrys_first_then_the_familys(
    section: Section, models: tuple[str, ...], probe_model: str, model: str
) -> None:
    plan = planned(key_account(section, models=models), parse_settings(keys(probeModel=probe_model)))

    assert plan.model == model


def test_the_models_path_applies_to_the_models_request_only() -> None:
    settings = parse_settings(keys(modelsPath="/models"))

    assert planned(key_account(), settings).requests[Stage.PRIMARY].url == f"{BASE}/models"
    assert planned(key_account(), settings).requests[Stage.FALLBACK].url == f"{BASE}/v1/chat/completions"
    assert planned(key_account(Section.GEMINI), settings).requests[Stage.PRIMARY].url == f"{BASE}/v1beta/models"


@pytest.mark.parametrize(
    ("account", "verdict", "reason"),
    [
        (key_account(base_url=None), Verdict.NO_BASE_URL, "base URL is missing"),
        (key_account(base_url=" "), Verdict.NO_BASE_URL, "base"),
        (key_account(base_url="relay.example"), Verdict.NO_BASE_URL, "not an http or https address"),
        (key_account(None), Verdict.SKIPPED, "No probe for this provider"),
        (key_account(probeable=False, enabled=False, listed=False), Verdict.SKIPPED, "enable it first"),
        (key_account(probeable=False), Verdict.SKIPPED, "cannot use the account now"),
    ],
)
def test_some_accounts_are_not_probed_and_the_reason_says_why(account: object, verdict: Verdict, reason: str) -> None:
    plan = plan_probe(account, KEY_SETTINGS, chance(1))  # type: ignore[arg-type]  # every row of the table is an account

    assert isinstance(plan, NoProbe)
    assert plan.verdict is verdict
    assert reason in plan.reason.text


@pytest.mark.parametrize(
    ("section", "address"),
    [
        (Section.GEMINI, f"{AT_HOME}/v1beta/models"),
        (Section.CLAUDE, "https://api.anthropic.com/v1/messages"),
        (Section.CODEX, "https://api.openai.com/v1/models"),
        (Section.XAI, "https://api.x.ai/v1/models"),
        (Section.COMPAT, None),
        (Section.VERTEX, None),
    ],
)
def test_the_public_address_is_used_only_when_the_operator_asked_for_it(section: Section, address: str | None) -> None:
    account = key_account(section, base_url=None)
    plan = plan_probe(account, parse_settings(keys(familyDefaultAddress=True)), chance(1))

    assert isinstance(plan_probe(account, KEY_SETTINGS, chance(1)), NoProbe)
    assert (plan.requests[Stage.PRIMARY].url if isinstance(plan, ProbePlan) else None) == address


@pytest.mark.parametrize(
    ("provider", "address"),
    [
        ("xai", "https://api.x.ai/v1/models"),
        ("codex", "https://api.openai.com/v1/models"),
        ("gemini-interactions", "https://generativelanguage.googleapis.com/v1beta/models"),
        ("openai-compatible-acme", None),
    ],
)
def test_an_account_outside_the_sections_takes_the_public_address_of_its_own_vendor(
    provider: str, address: str | None
) -> None:
    account = replace(key_account(Section.CODEX, base_url=None), ref=KeyRef(None, provider), provider=provider)
    plan = plan_probe(account, parse_settings(keys(familyDefaultAddress=True)), chance(1))
    assert (plan.requests[Stage.PRIMARY].url if isinstance(plan, ProbePlan) else None) == address


def test_an_entry_without_a_key_is_skipped_with_the_reason() -> None:
    plan = plan_probe(replace(key_account(), no_probe="no_key"), KEY_SETTINGS, chance(1))
    assert isinstance(plan, NoProbe)
    assert plan.verdict is Verdict.SKIPPED
    assert plan.reason.text.startswith("The entry has no key")


@pytest.mark.parametrize("extra", ["?x=1", "#here", "/?", "/v1?key=a"])
def test_a_base_url_with_a_query_or_fragment_is_refused_with_the_reason(extra: str) -> None:
    plan = plan_probe(key_account(base_url=BASE + extra), KEY_SETTINGS, chance(1))
    assert isinstance(plan, NoProbe)
    assert plan.verdict is Verdict.NO_BASE_URL
    assert "query or a fragment" in plan.reason.text


def test_a_stand_in_takes_the_place_of_the_public_address_too() -> None:
    account = key_account(Section.CLAUDE, base_url=None)
    plan = plan_probe(
        account, parse_settings(keys(familyDefaultAddress=True)), chance(1), Vendors("http://127.0.0.1:9")
    )

    assert isinstance(plan, ProbePlan)
    assert plan.requests[Stage.PRIMARY].url == "http://127.0.0.1:9/api.anthropic.com/v1/messages"


def test_a_missing_address_offers_the_public_one_where_there_is_one() -> None:
    claude = plan_probe(key_account(Section.CLAUDE, base_url=None), KEY_SETTINGS, chance(1))
    compat = plan_probe(key_account(base_url=None), KEY_SETTINGS, chance(1))

    assert isinstance(claude, NoProbe)
    assert "familyDefaultAddress" in claude.reason.text
    assert isinstance(compat, NoProbe)
    assert "familyDefaultAddress" not in compat.reason.text


def test_a_request_becomes_a_call_with_the_accounts_credential() -> None:
    account = key_account()
    request = planned(account).requests[Stage.FALLBACK]
    call = request.call(account.ref)

    assert (call.account, call.method, call.url, call.body) == (account.ref, "POST", request.url, request.body)
    assert call.header == request.header
