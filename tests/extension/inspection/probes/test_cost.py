from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from adapter.port import Account, KeyRef, Section
from extension.inspection.oauth.plan import OAuthPlan
from extension.inspection.probes.cost import Cost, cost_of
from extension.inspection.probes.plan import NoProbe, next_request, plan_probe
from extension.inspection.requests.bodies import ASKING
from extension.inspection.requests.outcome import Attempt
from extension.inspection.settings import InspectionSettings, parse_settings
from tests.extension.inspection.oauth.answers import CHAT, oauth_account
from tests.extension.inspection.samples import Reply, answer, chance, file_account, key_account, silence


def settings(**changes: object) -> InspectionSettings:
    return parse_settings({"accountSource": "api_key", "evidenceChecks": False, "retries": 0, **changes})


def named(name: str, section: Section = Section.COMPAT, **changes: object) -> Account:
    return key_account(section, fingerprint=name, **changes)


def test_a_list_of_models_costs_no_token_but_its_fallback_may() -> None:
    # two requests, of which the chat may cost 16 tokens of answer, 16 of wrapping and 4 of the word asked
    assert cost_of([named("a")], settings()) == Cost(accounts=1, probed=1, requests=2, tokens=36)


def test_usage_checks_of_files_cost_no_token() -> None:
    assert cost_of([oauth_account("codex")], settings()) == Cost(accounts=1, probed=1, requests=1, tokens=0)


def test_every_retry_may_cost_another_question() -> None:
    assert cost_of([named("a")], settings(retries=2)) == Cost(accounts=1, probed=1, requests=4, tokens=108)


def test_a_run_that_acts_asks_each_account_again_up_to_four_times_and_a_single_one_ten_times() -> None:
    acting = settings(autoActionMode="disable")
    assert cost_of([named("a")], acting) == Cost(accounts=1, probed=1, requests=12, tokens=36)
    assert cost_of([named(name) for name in "abc"], acting).requests == 3 * 6
    assert cost_of([named("a")], acting.model_copy(update={"brake": False})).requests == 2


def test_twins_are_probed_once_and_those_without_a_probe_not_at_all() -> None:
    left_alone = replace(named("left alone"), ref=KeyRef(Section.COMPAT, "left alone"))
    pool = [
        named("twin"),
        named("twin"),
        named("nowhere", base_url=None),
        named("hidden", probeable=False),
        left_alone,
    ]
    never = frozenset({left_alone.ref})

    assert cost_of(pool, settings(), never_probed=never) == Cost(accounts=5, probed=1, requests=2, tokens=36)


def test_of_twins_the_one_that_can_be_probed_counts() -> None:
    assert cost_of([named("twin", probeable=False), named("twin")], settings()).probed == 1


def test_a_file_and_a_key_are_never_twins() -> None:
    assert cost_of([named("same"), file_account(fingerprint="same")], settings()).accounts == 2


def test_a_sample_costs_at_most_what_its_costliest_members_do() -> None:
    pool = [*(named(str(number), Section.CLAUDE) for number in range(3)), named("a"), named("b")]

    cost = cost_of(pool, settings(sampleSize=2))

    assert cost == Cost(accounts=2, probed=2, requests=4, tokens=72, sampled=True)


def test_an_empty_selection_costs_nothing() -> None:
    assert cost_of([], settings()) == Cost(0, 0, 0, 0)


REPLIES = st.sampled_from([answer(200), answer(200, CHAT), answer(401), answer(404), answer(500), silence()])
ACCOUNTS = st.sampled_from(
    [
        *(named("key", section) for section in Section),
        *(oauth_account(kind, base_url="http://127.0.0.1:9") for kind in ("codex", "kimi", "xai", "somebody")),
    ]
)


@given(
    ACCOUNTS,
    st.lists(REPLIES, min_size=14, max_size=14),
    st.integers(0, 5),
    st.sampled_from(["fixed", "math", "random"]),
    st.integers(0, 99),
)
def test_no_probe_costs_more_than_was_told_before_the_run(
    account: Account, replies: list[Reply], retries: int, mode: str, seed: int
) -> None:
    chosen = settings(retries=retries, probePromptMode=mode)
    estimate = cost_of([account], chosen)
    plan = plan_probe(account, chosen, chance(seed))
    assert not isinstance(plan, NoProbe)
    attempts: list[Attempt] = []
    while (request := next_request(plan, attempts)) is not None:
        attempts.append(Attempt(request, replies[len(attempts)]))

    paid_requests = sum(attempt.request.endpoint in ASKING for attempt in attempts)
    assert len(attempts) <= estimate.requests
    assert paid_requests * (16 + len(plan.prompt.text)) <= estimate.tokens
    assert isinstance(plan, OAuthPlan) is (account.file_name != "")


def test_controls_are_counted_once_for_each_route() -> None:
    pool = [named(f"a{number}", base_url="http://a.example") for number in range(10)]
    pool += [named("b", base_url="http://b.example"), named("c", Section.CLAUDE, base_url="http://b.example")]

    alone = cost_of(pool[-2:-1], settings(evidenceChecks=True))
    cost = cost_of(pool, settings(evidenceChecks=True))

    # six requests of its own and three controls; of the chats, fallback, question and control cost tokens
    assert (alone.requests, alone.controls, alone.tokens) == (9, 3, 3 * 36)
    assert cost.controls == 8
    assert cost_of(pool, settings()).controls == 0
