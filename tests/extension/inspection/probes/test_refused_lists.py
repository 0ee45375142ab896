"""Lists of models that are refused or missing: the request that a chat begins with decides, at the address that is."""

from collections.abc import Mapping

import pytest

from adapter.port import Answer, Section
from extension.inspection.evidence.action import Action
from extension.inspection.evidence.verdict import Verdict
from extension.inspection.evidence.verdict_table import VERDICTS
from extension.inspection.probes.controls import ControlAnswer, ControlRequest
from extension.inspection.probes.judgement import Judgement, judge, next_step
from extension.inspection.requests.outcome import Attempt, Stage
from extension.inspection.settings import parse_settings
from tests.extension.inspection.samples import CHAT_BODY, MODELS_BODY, answer, key_account, planned

ROOT = "http://127.0.0.1:9"
REFUSED = answer(401, '{"error":{"message":"Who are you?"}}')
MISSING = answer(404, '{"detail":"Not Found"}')
CHAT, LIST = answer(200, CHAT_BODY), answer(200, MODELS_BODY)
LACKING = answer(400, '{"error":{"message":"messages is missing"}}')
RESPONSE = answer(200, '{"object":"response","output":[{"type":"message"}]}')
DEPTHS = ("connectivity", "usable")
Host = Mapping[str, tuple[Answer, Answer]]
"""What a key and a wrong key get, by method and address; anything else is missing for both."""


def asked(host: Host, base: str, depth: str, section: Section = Section.COMPAT) -> tuple[Judgement, list[str]]:
    """Return the judgement of a key at a host, and the requests it took."""
    settings = parse_settings({"accountSource": "api_key", "retries": 0, "checkDepth": depth})
    plan = planned(key_account(section, base_url=base), settings)
    attempts: list[Attempt] = []
    controls: dict[Stage, ControlAnswer | None] = {}
    while (step := next_step(plan, attempts, controls, settings)) is not None:
        request = step.request if isinstance(step, ControlRequest) else step
        got, control = host.get(f"{request.method} {request.url}", (MISSING, MISSING))
        if isinstance(step, ControlRequest):
            controls[step.stage] = control
        else:
            attempts.append(Attempt(step, got))
    judgement = judge(plan, attempts, settings, controls=controls)
    return judgement, [f"{attempt.request.method} {attempt.request.url}" for attempt in attempts]


def serving(models: Answer, chat: Answer, root: str = f"{ROOT}/v1") -> Host:
    """Return a host that refuses wrong keys, and serves a list and a chat below an address."""
    return {f"GET {root}/models": (models, REFUSED), f"POST {root}/chat/completions": (chat, REFUSED)}


@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize("status", [400, 401, 402, 403, 408, 410, 418, 429, 451, 500, 503])
@pytest.mark.parametrize("chat", [CHAT, LACKING])
def test_a_key_that_a_chat_accepts_is_healthy_whatever_the_list_says(status: int, chat: Answer, depth: str) -> None:
    host = serving(answer(status, '{"error":{"message":"No list here."}}'), chat)
    judgement, _ = asked(host, ROOT, "connectivity" if chat is LACKING else depth)

    assert judgement.verdict is Verdict.HEALTHY


@pytest.mark.parametrize("status", [401, 403, 429, 500])
def test_so_it_is_where_no_control_is_to_be_had(status: int) -> None:
    settings = parse_settings({"accountSource": "api_key", "retries": 0})
    plan = planned(key_account(base_url=ROOT), settings)
    attempts: list[Attempt] = []
    controls: dict[Stage, ControlAnswer | None] = {}
    while (step := next_step(plan, attempts, controls, settings)) is not None:
        if isinstance(step, ControlRequest):
            controls[step.stage] = None
        else:
            attempts.append(Attempt(step, CHAT if step.method == "POST" else answer(status)))

    assert judge(plan, attempts, settings, controls=controls).verdict is Verdict.HEALTHY


@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize(
    ("status", "verdict"),
    [(401, "invalid_key"), (402, "out_of_quota"), (403, "forbidden"), (429, "rate_limited"), (500, "provider_error")],
)
def test_a_list_and_a_chat_that_are_refused_alike_count_and_cost_one_free_request(
    status: int, verdict: str, depth: str
) -> None:
    refusal = answer(status, '{"error":{"message":"Not you."}}')
    judgement, requests = asked(serving(refusal, refusal), ROOT, depth)

    assert judgement.verdict == verdict
    assert requests == [f"GET {ROOT}/v1/models", f"POST {ROOT}/v1/chat/completions"]


def test_a_chat_that_refuses_the_key_counts_where_the_list_has_trouble() -> None:
    judgement, _ = asked(serving(answer(500), REFUSED), ROOT, "connectivity")

    assert judgement.verdict is Verdict.INVALID_KEY


@pytest.mark.parametrize("status", [401, 403])
def test_a_chat_in_trouble_blames_no_key_whose_list_is_refused(status: int) -> None:
    down = answer(503, "")
    host = {f"GET {ROOT}/v1/models": (answer(status),) * 2, f"POST {ROOT}/v1/chat/completions": (down,) * 2}
    judgement, _ = asked(host, ROOT, "connectivity")

    assert VERDICTS[judgement.verdict].action is Action.KEEP


def test_a_native_list_that_is_refused_in_both_headers_is_followed_in_the_vendors_own() -> None:
    refused_once = {
        f"GET {ROOT}/v1beta/models": (REFUSED, REFUSED),
        f"POST {ROOT}/v1beta/models/gemini-2.5-flash-lite:generateContent": (LACKING, REFUSED),
    }
    judgement, requests = asked(refused_once, ROOT, "connectivity", Section.GEMINI)

    assert (judgement.verdict, len(requests)) == (Verdict.HEALTHY, 3)


@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize("below", ["/v1beta/openai", "/v1/openai", "/inference", "/compat", "", "/api/paas"])
@pytest.mark.parametrize("section", [Section.COMPAT, Section.CODEX])
def test_what_is_missing_at_the_address_of_the_specification_is_asked_right_below_the_base_url(
    below: str, depth: str, section: Section
) -> None:
    base = f"{ROOT}{below}"
    good, requests = asked(serving(LIST, CHAT, base), base, depth, section)
    dead, _ = asked(serving(REFUSED, REFUSED, base), base, depth, section)

    assert (good.verdict, dead.verdict) == (Verdict.HEALTHY, Verdict.INVALID_KEY)
    specified = [f"GET {base}/v1/models", f"POST {base}/v1/chat/completions"]
    assert requests[:3] == [*specified, f"GET {base}/models"]


@pytest.mark.parametrize("page", [MISSING, answer(405, ""), answer(404, "<html><h1>404</h1></html>")])
def test_a_page_that_says_not_found_is_no_wall_in_front_of_the_addresses_below(page: Answer) -> None:
    base = f"{ROOT}/compat"
    absent = {f"GET {base}/v1/models": (page, page), f"POST {base}/v1/chat/completions": (page, page)}
    judgement, _ = asked({**serving(LIST, CHAT, base), **absent}, base, "connectivity")

    assert judgement.verdict is Verdict.HEALTHY


@pytest.mark.parametrize("base", [f"{ROOT}/codex", f"{ROOT}/v1", ROOT])
@pytest.mark.parametrize("got", [RESPONSE, LACKING])
def test_a_codex_relay_with_responses_alone_is_asked_there(base: str, got: Answer) -> None:
    good, requests = asked({f"POST {base}/responses": (got, REFUSED)}, base, "connectivity", Section.CODEX)
    dead, _ = asked({f"POST {base}/responses": (REFUSED, REFUSED)}, base, "connectivity", Section.CODEX)

    assert (good.verdict, dead.verdict) == (Verdict.HEALTHY, Verdict.INVALID_KEY)
    assert requests[-1] == f"POST {base}/responses"


def test_a_list_beside_responses_alone_may_be_public() -> None:
    base = f"{ROOT}/v1"
    host = {f"GET {base}/models": (LIST, LIST), f"POST {base}/responses": (REFUSED, REFUSED)}

    assert asked(host, base, "connectivity", Section.CODEX)[0].verdict is Verdict.INVALID_KEY


@pytest.mark.parametrize("section", [Section.COMPAT, Section.CODEX])
def test_only_after_all_addresses_the_base_url_is_to_be_checked(section: Section) -> None:
    judgement, requests = asked({}, f"{ROOT}/nowhere", "connectivity", section)

    assert "check the base URL" in judgement.reason.text
    assert len(requests) == len(set(requests)) == (5 if section is Section.CODEX else 4)


def test_a_model_that_is_not_found_is_no_missing_address() -> None:
    unknown = answer(404, '{"error":{"code":"model_not_found","message":"The model does not exist"}}')
    judgement, requests = asked(serving(MISSING, unknown), ROOT, "connectivity")

    assert judgement.verdict is Verdict.INCONCLUSIVE
    assert len(requests) == 2
