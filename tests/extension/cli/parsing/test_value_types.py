import click
import pytest

from extension.cli.parsing.value_types import AmountType, DurationType, NumberType
from extension.cli.schedule import EVERY, duration
from extension.cli.vendor_names import FAMILY_NAMES
from extension.inspection.accounts.families import FAMILIES


def test_every_family_has_a_vendor_name_of_its_own() -> None:
    assert list(FAMILY_NAMES) == ["openai-compatible", "gemini", "claude", "codex", "vertex"]
    assert set(FAMILY_NAMES.values()) == set(FAMILIES)


@pytest.mark.parametrize(("text", "minutes"), [("90", 90), ("90m", 90), ("12h", 720), ("1d", 1440), ("365d", 525_600)])
def test_a_duration_is_minutes_hours_or_days(text: str, minutes: int) -> None:
    assert EVERY.convert(text, None, None) == minutes
    assert EVERY.convert(duration(minutes), None, None) == minutes


@pytest.mark.parametrize("text", ["", "0", "-1", "1w", "1.5h", "366d", "9" * 40])
def test_another_duration_is_refused(text: str) -> None:
    with pytest.raises(click.BadParameter):
        EVERY.convert(text, None, None)


def test_no_delay_is_a_duration_where_none_is_allowed() -> None:
    assert DurationType(0, 5).convert("0", None, None) == 0


@pytest.mark.parametrize("text", ["0", "-1", "x", "1.0", "²", str(2**63), "9" * 30])
def test_a_number_that_no_row_has_is_refused_with_the_list_to_look_at(text: str) -> None:
    with pytest.raises(click.BadParameter, match="poolkeeper account list"):
        NumberType("account").convert(text, None, None)


def test_a_number_may_have_the_mark_it_is_printed_with() -> None:
    assert NumberType("run").convert("#7", None, None) == 7


@pytest.mark.parametrize("text", ["abc", "-1", "nan", "inf", "", "1,25"])
def test_an_amount_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(click.BadParameter, match=r"is no amount\. Give a number from 0, such as 1\.25\."):
        AmountType().convert(text, None, None)
