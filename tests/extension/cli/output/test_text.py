import pytest

from extension.cli.output.text import actor, ago, counted, family_label, scope, trigger

NOW = 1_795_000_000_000


@pytest.mark.parametrize(
    ("age", "text"),
    [
        (-5_000, "just now"),
        (59_000, "just now"),
        (3 * 60_000, "3 min ago"),
        (3_600_000, "1 h ago"),
        (47 * 3_600_000, "47 h ago"),
        (5 * 86_400_000, "5 d ago"),
        (NOW, "1970-01-01 00:00 UTC"),
    ],
)
def test_the_age_of_a_time_is_told_in_its_largest_unit(age: int, text: str) -> None:
    assert ago(NOW - age, NOW) == text


@pytest.mark.parametrize(
    ("by", "text"),
    [
        ("page", "from the web · 3 min ago"),
        ("terminal", "from the terminal · 3 min ago"),
        ("interface", "through the API · 3 min ago"),
        ("schedule night\x1bly", "by schedule night\ufffdly · 3 min ago"),
    ],
)
def test_a_run_names_its_trigger_and_its_age(by: str, text: str) -> None:
    assert trigger({"startedBy": by, "startedAt": NOW - 180_000}, NOW) == text


def test_a_scope_names_source_and_vendor() -> None:
    assert scope({"accountSource": "api_key", "targetType": "all"}) == "API keys"
    assert scope({"accountSource": "api_key", "targetType": "vendor-a-apikey"}) == "API keys, Gemini"
    assert scope({"accountSource": "oauth", "targetType": "codex"}) == "OAuth files, codex"


def test_a_family_is_named_by_vendor_and_a_file_by_its_type() -> None:
    assert family_label({"family": "compat", "provider": "x"}) == "OpenAI-compatible"
    assert family_label({"family": "", "provider": "kimi"}) == "kimi"


def test_numbers_have_their_nouns() -> None:
    assert [counted(1, "entry", "entries"), counted(2_000, "entry", "entries")] == ["1 entry", "2,000 entries"]
    assert [actor("page"), actor("terminal")] == ["web", "terminal"]
