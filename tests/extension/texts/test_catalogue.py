import pytest

from extension.inspection.evidence.verdict_table import VERDICTS
from extension.texts.catalogue import REFERENCE, Catalogue, catalogue, chosen_language, languages

TEXTS = Catalogue("en", {"a": {"plain": "{name} of {n}", "plural": {"one": "{n} key", "other": "{n} keys"}}})


def test_parameters_are_filled_in_and_numbers_have_separators() -> None:
    assert TEXTS.text("a.plain", name="<{n}>", n=12_000) == "<{n}> of 12,000"
    assert TEXTS.text("a.plain", n="12000") == "{name} of 12000"


@pytest.mark.parametrize(("number", "text"), [(0, "0 keys"), (1, "1 key"), (1_000, "1,000 keys")])
def test_the_number_chooses_the_plural_form(number: int, text: str) -> None:
    assert TEXTS.text("a.plural", n=number) == text


def test_a_language_without_a_singular_has_one_form() -> None:
    assert catalogue("zh-CN").text("count.accounts", n=1) == "1 个账号"


def test_a_key_without_a_text_is_an_error() -> None:
    assert not TEXTS.has("a.missing")
    with pytest.raises(KeyError):
        TEXTS.text("a.missing")


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "zh_CN.UTF-8"}, "zh-CN"),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": "C.UTF-8"}, "en"),
        ({"LANG": "en_US.UTF-8", "LC_MESSAGES": "zh_CN"}, "zh-CN"),
        ({"LC_MESSAGES": "en_US.UTF-8", "LC_ALL": "zh_CN.gb18030"}, "zh-CN"),
        ({"LC_ALL": "en_US.UTF-8", "POOLKEEPER_LANG": "zh"}, "zh-CN"),
        ({"LC_ALL": "zh_CN.UTF-8", "POOLKEEPER_LANG": "en"}, "en"),
        ({"LC_ALL": "zh_CN.UTF-8", "POOLKEEPER_LANG": ""}, "zh-CN"),
        ({"POOLKEEPER_LANG": "zh-CN"}, "zh-CN"),
        ({"POOLKEEPER_LANG": "tlh", "LANG": "zh_CN.UTF-8"}, "en"),
        ({"LANG": "POSIX"}, "en"),
    ],
)
def test_the_first_variable_with_a_value_decides_and_an_unknown_language_is_english(
    environment: dict[str, str], language: str
) -> None:
    assert chosen_language(environment, languages()) == language


def test_the_english_catalogue_has_labels_and_meanings_of_the_table() -> None:
    texts = catalogue(REFERENCE)

    for verdict, row in VERDICTS.items():
        shown = (texts.text(f"status.{verdict.value}"), texts.text(f"status_meaning.{verdict.value}"))
        assert shown == (row.label, row.meaning)


def test_no_meaning_belongs_to_a_status_that_does_not_exist() -> None:
    assert set(catalogue(REFERENCE).keys("status_meaning")) == {
        f"status_meaning.{verdict.value}" for verdict in VERDICTS
    }
