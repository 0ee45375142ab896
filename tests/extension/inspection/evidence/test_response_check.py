import pytest
from hypothesis import given
from hypothesis import strategies as st

from extension.inspection.accounts.families import ProbeEndpoint
from extension.inspection.evidence.response_check import Flaw, answer_text, doubt, doubted
from tests.extension.inspection.samples import CHAT_BODY, GENERATE_BODY, MESSAGES_BODY, MODELS_BODY, NATIVE_BODY, answer

BODIES = {
    ProbeEndpoint.MODELS: MODELS_BODY,
    ProbeEndpoint.NATIVE_MODELS: NATIVE_BODY,
    ProbeEndpoint.CHAT: CHAT_BODY,
    ProbeEndpoint.MESSAGES: MESSAGES_BODY,
    ProbeEndpoint.GENERATE: GENERATE_BODY,
}


@pytest.mark.parametrize(("endpoint", "body"), BODIES.items())
def test_what_the_interface_answers_is_credible(endpoint: ProbeEndpoint, body: str) -> None:
    assert doubt(endpoint, answer(200, body)) is None
    assert doubt(endpoint, answer(200, "\ufeff\n" + body)) is None


@pytest.mark.parametrize("endpoint", ProbeEndpoint)
@pytest.mark.parametrize(
    ("body", "wrong"),
    [
        ("", "empty body"),
        (" \n", "empty body"),
        ("<!doctype html>", "web page"),
        ("pong", "not JSON"),
        ('{"data": ', "not JSON"),
        ("17", "not an answer of this interface"),
        ("null", "not an answer of this interface"),
        ('{"error":{"message":"bad"}}', "reports an error"),
        ("[" * 100_000, "not JSON"),
    ],
)
def test_anything_else_is_doubtful_and_says_why(endpoint: ProbeEndpoint, body: str, wrong: str) -> None:
    flaw = doubt(endpoint, answer(200, body))
    assert flaw is not None
    assert wrong in doubted(endpoint, answer(200, body), flaw, "key").text


@pytest.mark.parametrize("endpoint", sorted(set(ProbeEndpoint) - {ProbeEndpoint.USAGE, ProbeEndpoint.BILLING}))
@pytest.mark.parametrize("body", ["{}", '{"status":"ok"}'])
def test_an_object_without_the_fields_of_the_interface_is_doubtful(endpoint: ProbeEndpoint, body: str) -> None:
    assert doubt(endpoint, answer(200, body)) is Flaw.INCOMPLETE
    assert "the body lacks" in doubted(endpoint, answer(200, body), Flaw.INCOMPLETE, "key").text


@pytest.mark.parametrize(
    ("body", "credible"),
    [
        ('{"object":"list","data":[{"id":"m', True),
        ('{"object":"list","data": null, "more":"', True),
        (' [{"id":', True),
        (" [1,", True),
        ("<html>", False),
        ("x", False),
        ('{"object":"list","da', False),
        ('{"error":{"message":"no"},"data":[{"id":"m"},', False),
        ('{"data":17,"more":"', False),
        ("{" + " " * 100_000, False),
        ("[" + " " * 100_000, False),
        ('{"data":[' + " " * 100_000, False),
        ('{"data":[{' + "\n" * 100_000 + '"id":"m"}', False),
        ("[" * 100_000, False),
        ('{"data":' * 30_000, False),
        ('{"data":' + "[" * 100_000, False),
        ('{"filler":"' + "x" * 100_000, False),
    ],
)
def test_a_body_that_was_cut_is_judged_by_its_beginning(body: str, credible: bool) -> None:
    assert (doubt(ProbeEndpoint.MODELS, answer(200, body, truncated=True)) is None) is credible


@pytest.mark.parametrize(("endpoint", "body"), BODIES.items())
def test_an_answer_of_the_interface_stays_credible_when_it_is_cut(endpoint: ProbeEndpoint, body: str) -> None:
    assert doubt(endpoint, answer(200, body[:-1], truncated=True)) is None


def test_a_flood_of_blanks_says_that_the_body_is_too_long() -> None:
    flooded = answer(200, "{" + " " * 100_000, truncated=True)
    assert doubt(ProbeEndpoint.BILLING, flooded) is Flaw.TOO_LONG
    assert "longer than 1 MiB" in doubted(ProbeEndpoint.BILLING, flooded, Flaw.TOO_LONG, "key").text


@pytest.mark.parametrize("value", ["5", "true", '"yes"'])
def test_a_list_of_models_that_is_no_list_is_doubtful(value: str) -> None:
    assert doubt(ProbeEndpoint.MODELS, answer(200, f'{{"data":{value}}}')) is Flaw.INCOMPLETE


def test_a_bare_list_of_models_is_credible_and_of_choices_is_not() -> None:
    assert doubt(ProbeEndpoint.MODELS, answer(200, '[{"id":"m"}]')) is None
    assert doubt(ProbeEndpoint.CHAT, answer(200, "[]")) is not None


@pytest.mark.parametrize(
    ("endpoint", "body"),
    [
        (ProbeEndpoint.CHAT, '{"choices":[]}'),
        (ProbeEndpoint.MESSAGES, '{"type":"message","content":[]}'),
        (ProbeEndpoint.GENERATE, '{"candidates":[]}'),
    ],
)
def test_an_empty_list_proves_nothing(endpoint: ProbeEndpoint, body: str) -> None:
    assert doubt(endpoint, answer(200, body)) is Flaw.INCOMPLETE


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ('data: {"choices":[{"delta":{"content":"po"}}]}\n\ndata: {"choices":[{"delta":{"content":"ng"}}]}', "pong"),
        (CHAT_BODY, "pong"),
        (MESSAGES_BODY, "pong"),
        (GENERATE_BODY, "pong"),
        ("nonsense", ""),
        ("7", ""),
    ],
)
def test_the_text_of_an_answer_is_found_in_each_interface(body: str, text: str) -> None:
    assert text in answer_text(answer(200, body))


@given(st.sampled_from(ProbeEndpoint), st.text(), st.booleans())
def test_any_body_is_credible_or_doubtful(endpoint: ProbeEndpoint, body: str, truncated: bool) -> None:
    wrong = doubt(endpoint, answer(200, body, truncated=truncated))

    assert wrong is None or doubted(endpoint, answer(200, body), wrong, "key").text.startswith("HTTP 200, ")


def test_an_answer_without_choices_is_no_chat_while_an_empty_list_of_models_may_be_null() -> None:
    assert (
        doubt(ProbeEndpoint.CHAT, answer(200, '{"choices":null,"base_resp":{"status_code":1004}}')) is Flaw.INCOMPLETE
    )
    assert doubt(ProbeEndpoint.MODELS, answer(200, '{"object":"list","data":null}')) is None
