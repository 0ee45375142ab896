# ruff: noqa: RUF001 - Chinese punctuation

import pytest

from extension.cli.language.reasons import error_text, hold_text, reasons_text

REFUSED = {"code": "key_refused", "params": {"key_finding": "invalid_key", "details": "(HTTP 401)"}}
DISABLED = {"code": "stays_disabled", "params": {}}
RESETS = {"code": "quota_resets", "params": {"resets_at": 1_893_474_000_000}}
TOMORROW = {"code": "of_tomorrow", "params": {}}


@pytest.fixture
def _chinese(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POOLKEEPER_LANG", "zh")


def test_in_english_the_words_of_the_service_are_shown() -> None:
    assert reasons_text([REFUSED], "As the service says.") == "As the service says."
    assert error_text("run_active", "Run 7 is still active.", "Stop it.") == "Run 7 is still active. Stop it."


@pytest.mark.usefixtures("_chinese")
def test_reasons_are_phrased_from_codes_and_words_of_their_parameters() -> None:
    assert reasons_text([REFUSED, DISABLED], "Invalid key.") == "密钥无效 (HTTP 401)。已禁用。"
    assert "2030-01-01 05:00 UTC" in reasons_text([RESETS], "It resets.")
    limit = {"code": "disable_limit", "params": {"limit": 5}}
    assert hold_text(limit, "On hold.") == "暂缓：一次任务最多禁用 5 个账号（disableLimit）。"
    assert hold_text(DISABLED, "Already disabled.") == "已禁用。"


@pytest.mark.usefixtures("_chinese")
def test_a_code_of_a_newer_service_and_a_note_stay_as_they_are() -> None:
    assert reasons_text([DISABLED, TOMORROW], "Both.") == "Both."
    assert hold_text({"code": "", "params": {}}, "") == ""
    assert reasons_text([], "A note.") == "A note."
    assert error_text("of_tomorrow", "It broke.", "Mend it.") == "It broke. Mend it."


@pytest.mark.usefixtures("_chinese")
def test_an_error_is_phrased_from_its_code_and_keeps_what_only_the_service_knows() -> None:
    assert (
        error_text("run_active", "Run 7 is still active.", "Stop it.")
        == "另一个任务正在进行。请等待其结束，或将其停止。"
    )
    assert error_text("bad_setting", "workers: 1 to 64.", "Correct it.") == "设置不可用：workers: 1 to 64."


@pytest.mark.usefixtures("_chinese")
def test_what_an_error_says_beyond_its_code_is_phrased_from_its_reasons() -> None:
    refused = {"code": "field_at_most", "params": {"field": "--workers", "bound": 256}}

    assert error_text("bad_setting", "workers: it must be at most 256.", "", [refused]) == (
        "设置不可用：--workers：不能大于 256。"
    )


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_name_of_any_length_is_clipped_where_a_sentence_quotes_it(
    monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    monkeypatch.setenv("POOLKEEPER_LANG", language)
    provider = "relay " + "w" * 10_000
    several = {"code": "several_keys", "params": {"provider": provider, "count": 2}}
    written = f"The provider {provider} has 2 keys and one switch for all of them."

    for said in (reasons_text([several], written), hold_text(several, written)):
        assert len(said) < 300
        assert "relay www" in said
        assert "\u2026" in said
