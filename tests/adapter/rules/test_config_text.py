import pytest

from adapter.rules.config_text import ConfigTextInvalid, config_values, section

SECRET = "sk-very-secret"


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("a: 1\nb: [true, x]\n", {"a": 1, "b": [True, "x"]}),
        ("seen: 2024-13-45\nday: 2024-02-03\n", {"seen": "2024-13-45", "day": "2024-02-03"}),
        ("", {}),
        ("- a list\n", {}),
        ("just text", {}),
    ],
)
def test_a_configuration_is_read_and_dates_stay_text(text: str, values: dict[str, object]) -> None:
    assert config_values(text) == values


@pytest.mark.parametrize("text", [f"key: [{SECRET}", f"key: !!int {SECRET}", f"number: {'9' * 5000}", "\x00"])
def test_what_is_not_yaml_is_one_error_that_quotes_nothing(text: str) -> None:
    with pytest.raises(ConfigTextInvalid) as invalid:
        config_values(text)
    assert SECRET not in str(invalid.value)
    assert invalid.value.__cause__ is invalid.value.__context__ is None


DEEP = {
    "lists": "[" * 200_000,
    "closed lists": f"x: {'[' * 20_000}{']' * 20_000}",
    "mappings": "{" * 200_000,
    "mappings in a list": f"x: [{'{a: ' * 20_000}",
    "entries": "- " * 30_000,
    "keys": "? " * 50_000,
}


@pytest.mark.parametrize("text", DEEP.values(), ids=DEEP)
def test_values_that_would_end_the_process_of_the_loader_are_refused(text: str) -> None:
    with pytest.raises(ConfigTextInvalid, match="nested too deep"):
        config_values(text)


def test_many_brackets_beside_each_other_are_read() -> None:
    text = "".join(f'- excluded-models: ["*", "[{number}"]\n' for number in range(3_000))
    assert config_values(f"claude-api-key:\n{text}")["claude-api-key"][-1] == {"excluded-models": ["*", "[2999"]}


@pytest.mark.parametrize(
    ("values", "mapping"), [({"a": {"b": {"c": 1}}}, {"c": 1}), ({"a": [1]}, {}), (None, {}), ({}, {})]
)
def test_a_section_is_found_below_its_names(values: object, mapping: dict[str, object]) -> None:
    assert section(values, "a", "b") == mapping
