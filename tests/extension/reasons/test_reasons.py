"""Reasons are codes with parameters: every code has a sentence, and every token in it has words."""

from string import Formatter

import pytest

from adapter.port.write_problems import WRITE_PROBLEMS
from extension.inspection.evidence.answers.meaning import REQUEST_MEANINGS, Meaning
from extension.inspection.evidence.response_check import Flaw
from extension.inspection.evidence.wall import Wall
from extension.reasons.codes import HoldCode, ReasonCode
from extension.reasons.reason import NO_REASON, TOKEN_PARAMETERS, ReasonList, because, hold_text
from extension.texts.catalogue import REFERENCE, catalogue

TOKENS: dict[str, set[Wall] | set[Flaw] | set[Meaning]] = {
    "wall": set(Wall),
    "flaw": set(Flaw) - {Flaw.INCOMPLETE},
    "meaning": set(Meaning) - REQUEST_MEANINGS,
}


def test_every_code_has_one_sentence() -> None:
    texts = catalogue(REFERENCE)

    assert set(texts.keys("reason")) == {f"reason.{code}" for code in ReasonCode}
    assert set(texts.keys("hold_reason")) == {f"hold_reason.{code}" for code in HoldCode}


def test_the_problems_of_writes_have_the_sentences_of_the_port() -> None:
    texts = catalogue(REFERENCE)

    assert {code: texts.template(f"reason.{code.value}") for code in WRITE_PROBLEMS} == WRITE_PROBLEMS


@pytest.mark.parametrize("name", TOKENS)
def test_every_token_of_a_parameter_has_words(name: str) -> None:
    terms = {key for key in catalogue(REFERENCE).keys("term") if key.startswith(f"term.{name}_")}

    assert terms == {f"term.{name}_{token}" for token in TOKENS[name]}


def test_the_words_of_every_term_are_used_by_a_sentence() -> None:
    sentences = map(catalogue(REFERENCE).template, catalogue(REFERENCE).keys("reason"))

    assert {name for text in sentences for _, name, _, _ in Formatter().parse(text) if name} >= TOKEN_PARAMETERS


def test_an_amount_has_separators_and_the_number_of_something_has_none() -> None:
    assert "none of the 1,661 accounts" in hold_text("no_success", {"probes": 1661})
    assert because(ReasonCode.TRAFFIC_WORKED, successes=1661).text.startswith("Its own traffic succeeded 1,661 times")
    assert because(ReasonCode.RUN_ACTIVE, run=1661).text.startswith("Run 1661 was still active")


def test_a_reason_is_phrased_from_its_parameters() -> None:
    refused = because(ReasonCode.KEY_REFUSED, key_finding="invalid_key", details="(HTTP 401)")
    both = refused + because(ReasonCode.STAYS_DISABLED)

    assert both.text == "Invalid key (HTTP 401). Already disabled."
    assert both.codes == (ReasonCode.KEY_REFUSED, ReasonCode.STAYS_DISABLED)


def test_a_stored_reason_is_the_same_when_it_is_read() -> None:
    reason = because(ReasonCode.QUOTA_RESETS, resets_at=1_893_474_000_000)

    assert ReasonList.stored(reason.as_json(), "") == reason
    assert reason.text == "It resets 2030-01-01 05:00 UTC."


def test_a_row_of_an_earlier_version_keeps_its_text() -> None:
    assert ReasonList.stored([], "Key accepted (HTTP 200).").text == "Key accepted (HTTP 200)."


def test_a_code_of_a_newer_version_is_left_out() -> None:
    stored = [{"code": "unheard_of", "params": {}}, {"code": "excluded", "params": {}}]

    assert ReasonList.stored(stored, "").text == "Excluded from checks."
    assert not hold_text("unheard_of", {})


def test_an_unknown_token_is_readable_all_the_same() -> None:
    assert because(ReasonCode.KEY_REFUSED, key_finding="parked_domain", details="(HTTP 451)").text == (
        "Parked domain (HTTP 451)."
    )


def test_every_text_among_the_parameters_is_redacted() -> None:
    reason = because(ReasonCode.MODEL_PROBLEM, model="sk-secret", details="(HTTP 404)")

    assert "secret" not in reason.redacted(lambda text: text.replace("sk-secret", "••••")).text


def test_no_reason_is_false_and_adds_nothing() -> None:
    assert not NO_REASON
    assert because(ReasonCode.EXCLUDED) + NO_REASON == because(ReasonCode.EXCLUDED)
