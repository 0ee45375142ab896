import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.port import Answer, NoAnswerKind, Section
from extension.inspection.probes.plan import most_requests, next_request
from extension.inspection.requests.outcome import Attempt, GatewayTrouble, Stage
from extension.inspection.settings import parse_settings
from extension.reasons.reason import ReasonList
from tests.extension.inspection.samples import Reply, answer, key_account, planned, probe, silence


def keys(**changes: object) -> dict[str, object]:
    return {"accountSource": "api_key", "evidenceChecks": False, **changes}


@pytest.mark.parametrize("status", [404, 405, 501])
def test_the_fallback_follows_an_address_that_is_not_there(status: int) -> None:
    attempts = probe(planned(key_account()), answer(status), answer(200))

    assert [attempt.request.stage for attempt in attempts] == [Stage.PRIMARY, Stage.FALLBACK]


@pytest.mark.parametrize("status", [200, 204, 302, 400, 401, 402, 403, 406, 408, 429, 500, 502, 503, 529])
def test_any_other_answer_of_the_primary_request_ends_the_probe(status: int) -> None:
    assert len(probe(planned(key_account()), answer(status))) == 1


@pytest.mark.parametrize("status", [404, 405, 501])
def test_a_family_without_fallback_stops_at_its_primary_request(status: int) -> None:
    assert len(probe(planned(key_account(Section.CLAUDE)), answer(status))) == 1


@pytest.mark.parametrize(
    ("section", "retries", "sent"),
    [
        (Section.COMPAT, 0, ["primary", "fallback"]),
        (Section.COMPAT, 1, ["primary", "fallback"]),
        (Section.COMPAT, 3, ["primary", "primary", "primary", "fallback"]),
        (Section.CLAUDE, 0, ["primary"]),
        (Section.CLAUDE, 2, ["primary", "primary", "primary"]),
    ],
)
def test_the_fallback_is_one_of_the_repetitions_of_what_nobody_answers(
    section: Section, retries: int, sent: list[str]
) -> None:
    plan = planned(key_account(section), parse_settings(keys(retries=retries)))

    assert [attempt.request.stage for attempt in probe(plan, *[silence()] * len(sent))] == sent


def test_a_fallback_that_nobody_answers_is_repeated_when_the_primary_was_answered() -> None:
    attempts = probe(planned(key_account()), answer(404), silence(), answer(200))

    assert [attempt.request.stage for attempt in attempts] == [Stage.PRIMARY, Stage.FALLBACK, Stage.FALLBACK]


@pytest.mark.parametrize("status", [401, 403])
def test_a_refused_bearer_is_confirmed_once_with_the_native_header(status: int) -> None:
    attempts = probe(planned(key_account(Section.GEMINI)), answer(status), answer(status))

    assert [attempt.request.stage for attempt in attempts] == [Stage.PRIMARY, Stage.CONFIRMED_PRIMARY]


def test_the_refused_request_is_the_one_that_is_confirmed() -> None:
    attempts = probe(planned(key_account(Section.GEMINI)), answer(404), answer(401), answer(200))

    assert [attempt.request.stage for attempt in attempts][1:] == [Stage.FALLBACK, Stage.CONFIRMED_FALLBACK]


def test_a_confirmation_that_finds_nothing_there_falls_back_with_the_same_header() -> None:
    attempts = probe(planned(key_account(Section.VERTEX)), answer(401), answer(404), answer(200))

    assert attempts[-1].request.stage is Stage.CONFIRMED_FALLBACK


@pytest.mark.parametrize("trouble", [GatewayTrouble(ReasonList(written="gone")), silence(NoAnswerKind.BLOCKED)])
def test_trouble_with_the_gateway_ends_a_probe_at_once(trouble: Reply) -> None:
    assert len(probe(planned(key_account()), trouble)) == 1
    assert len(probe(planned(key_account()), answer(404), trouble)) == 2


REPLIES = st.one_of(
    st.integers(100, 599).map(answer),
    st.sampled_from(NoAnswerKind).map(silence),
    st.just(GatewayTrouble(ReasonList(written="gone"))),
)


@given(st.sampled_from(Section), st.integers(0, 5), st.data())
def test_every_probe_ends_within_the_requests_it_announces(section: Section, retries: int, data: st.DataObject) -> None:
    plan = planned(key_account(section), parse_settings(keys(retries=retries)))
    attempts: list[Attempt] = []

    while (request := next_request(plan, attempts)) is not None:
        attempts.append(Attempt(request, data.draw(REPLIES)))

    assert 1 <= len(attempts) <= most_requests(plan)
    assert all("$TOKEN$" not in attempt.request.url + attempt.request.body for attempt in attempts)
    assert not any(isinstance(attempt.answer, Answer) and attempt.status == 200 for attempt in attempts[:-1])
