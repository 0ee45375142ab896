import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.internal.configuration.document import parse_document
from gateway.internal.configuration.errors import ConfigurationError
from gateway.internal.configuration.scalars import resolve, written


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", None), ("~", None), ("Null", None), ("true", True), ("FALSE", False), ("yes", "yes"), ("on", "on"),
        ("0", 0), ("-12", -12), ("017", 15), ("0o17", 15), ("0x1F", 31), ("0b11", 3), ("1_000", 1000), ("08", "08"),
        ("1.5", 1.5), (".5", 0.5), ("1e3", 1000.0), (".inf", math.inf), ("-.INF", -math.inf),
        ("2024-01-01", "2024-01-01"), ("12:30", "12:30"),
        ("+", "+"), ("-", "-"), (".", "."), ("1.2.3", "1.2.3"), ("tree", "tree"),
    ],
)  # fmt: skip
def test_a_plain_scalar_means_what_it_means_to_the_stock_gateway(text: str, value: object) -> None:
    assert resolve(text) == value
    assert type(resolve(text)) is type(value) or isinstance(resolve(text), type(value))


@given(st.from_regex(r"[-+]?[0-9_.eExXobB]{1,12}", fullmatch=True))
def test_whatever_looks_like_a_number_is_written_as_it_was_read(text: str) -> None:
    assert written(resolve(text)) == text


@given(st.text(max_size=200))
def test_any_text_is_parsed_or_refused_with_one_clear_line(text: str) -> None:
    try:
        parse_document(text)
    except ConfigurationError as error:
        assert "\n" not in str(error)  # noqa: PT017 - both outcomes are fine, but an error must be readable
        assert error.syntax  # noqa: PT017 - as above


def test_merged_mappings_fill_in_what_is_not_there() -> None:
    assert parse_document("a: &a {x: 1, y: 2}\nb: &b {z: 3}\nc:\n  <<: [*a, *b]\n  y: 5\n")["c"] == {
        "y": 5,
        "x": 1,
        "z": 3,
    }


def test_quoted_and_tagged_scalars_are_what_they_say() -> None:
    assert parse_document("a: '5'\nb: !!str 5\nc: !!int '7'\nd: \"~\"\ne: '<<'\n") == {
        "a": "5",
        "b": "5",
        "c": 7,
        "d": "~",
        "e": "<<",
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: &a [*a]", "stands inside the very value"),
        ("a: &a\n  b: *a", "line 2: .*stands inside"),
        ("a: *nothing", "nothing refers to nothing"),
        ("[" * 150 + "]" * 150, "nested more than 100 deep"),
        ("[" * 5000 + "]" * 5000, "not valid YAML|nested more than"),
        ("? [a]\n: 1", "a key must be a word"),
        ("a: {<<: 5}", "<< needs a mapping"),
        ("a: 1\n---\nb: 1", "more than one YAML document"),
    ],
)
def test_what_would_do_harm_is_refused(text: str, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        parse_document(text)


def test_a_small_text_cannot_become_a_huge_document() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 9)]
    with pytest.raises(ConfigurationError, match="aliases repeat more than 1000000 values"):
        parse_document("\n".join(lines))
