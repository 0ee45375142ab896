import pytest

from extension.texts.catalogue import Catalogue, catalogue

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
