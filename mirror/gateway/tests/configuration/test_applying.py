import re
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from gateway.internal.configuration.applying import apply
from gateway.internal.configuration.document import parse_document
from gateway.internal.configuration.edits import Edit, Insert, Path, Remove, Set, intended, same
from gateway.internal.configuration.errors import ConfigurationError, EditRefused
from tests.configuration.documents import MAPPINGS, STYLES, VALUES, WORDS, Style, comments, write

THOROUGH = settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def places(value: Any, path: Path = ()) -> list[Path]:
    found = [path]
    if isinstance(value, dict):
        for key, item in value.items():
            found += places(item, (*path, key))
    elif isinstance(value, list):
        for at, item in enumerate(value):
            found += places(item, (*path, at))
    return found


def at(value: Any, path: Path) -> Any:
    for step in path:
        value = value[step]
    return value


@st.composite
def edits_for(draw: st.DrawFn, document: dict[str, Any]) -> Edit:
    path = draw(st.sampled_from(places(document)))
    value = at(document, path)
    if isinstance(value, list) and draw(st.booleans()):
        return Insert(path, draw(VALUES), draw(st.one_of(st.none(), st.integers(0, len(value)))))
    if isinstance(value, dict) and draw(st.booleans()):
        return Set((*path, draw(WORDS)), draw(VALUES))
    if not path or draw(st.booleans()):
        return Set((*(path or (draw(WORDS),)),), draw(VALUES))
    return Remove(path)


@st.composite
def cases(draw: st.DrawFn) -> tuple[dict[str, Any], Style, list[Edit]]:
    document = draw(MAPPINGS)
    edits: list[Edit] = []
    now: Any = document
    for _ in range(draw(st.integers(1, 3))):
        edit = draw(edits_for(now))
        edits.append(edit)
        now = intended(now, [edit])
        if not isinstance(now, dict) or not now:
            break
    return document, draw(STYLES), edits


@given(cases())
@THOROUGH
def test_any_edit_of_any_document_does_what_was_meant_and_keeps_every_comment(
    case: tuple[dict[str, Any], Style, list[Edit]],
) -> None:
    document, style, edits = case
    text = write(document, style)
    assume(same(parse_document(text), document))  # a comment right behind a block text may become part of it
    result = apply(text, edits)
    assert same(parse_document(result) or {}, intended(document, edits))
    assert comments(result) == comments(text)
    assert result.startswith("\ufeff") == style.mark


@given(MAPPINGS, STYLES, st.data())
@THOROUGH
def test_lines_before_and_after_a_changed_scalar_stay_byte_for_byte(
    document: dict[str, Any], style: Style, data: st.DataObject
) -> None:
    scalars = [path for path in places(document) if path and not isinstance(at(document, path), dict | list)]
    if not scalars:
        return
    path = data.draw(st.sampled_from(scalars))
    text = write(document, style)
    assume(same(parse_document(text), document))
    before, after = text.split(style.newline), apply(text, [Set(path, "changed-value")]).split(style.newline)
    same_start = next((n for n, pair in enumerate(zip(before, after, strict=False)) if pair[0] != pair[1]), len(before))
    rest = len(before) - same_start
    ends = [n for n in (1, 2) if before[same_start + n :] == after[len(after) - max(0, rest - n) :]]
    assert ends, (before, after)


def test_no_edits_leave_the_text_as_it_is() -> None:
    assert apply("a: [broken", []) == "a: [broken"


def test_a_provider_is_switched_by_one_new_line() -> None:
    text = "openai-compatibility:\n  # mine\n  - name: solo # the one\n    base-url: http://x\n  # end\n"
    assert apply(text, [Set(("openai-compatibility", 0, "disabled"), True)]) == text.replace(
        "http://x\n", "http://x\n    disabled: true\n"
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("c:\n- api-key: k\n", 'c:\n- api-key: k\n  excluded-models:\n    - "*"\n'),
        ("c:\n- excluded-models: []\n", 'c:\n- excluded-models: ["*"]\n'),
        ("c:\n- excluded-models: # none\n  x: 1\n", 'c:\n- excluded-models: # none\n    - "*"\n  x: 1\n'),
        ("c:\n- excluded-models:\n  - gpt-*  # mine\n", 'c:\n- excluded-models:\n  - gpt-*  # mine\n  - "*"\n'),
        ("c: [{api-key: k}]", 'c: [{api-key: k, excluded-models: ["*"]}]'),
        ("c: [{excluded-models: [a, ]}]", 'c: [{excluded-models: [a, "*", ]}]'),
        ("c:\r\n- k: v\r\n", 'c:\r\n- k: v\r\n  excluded-models:\r\n    - "*"\r\n'),
    ],
)
def test_a_pattern_is_added_in_the_style_of_the_place(before: str, after: str) -> None:
    assert apply(before, [Insert(("c", 0, "excluded-models"), "*")]) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x: &a\n  k: 1\ny: *a\n", None),
        ("x: &a 1\ny: *a\n", None),
        ("y: {k: 2}\nx: &a 1\nz: *a\n", "y: {k: new}\nx: &a 1\nz: *a\n"),
        ("b: &b {k: 1}\ny:\n  <<: *b\n  j: 2\n", "b: &b {k: 1}\ny:\n  <<: *b\n  j: 2\n  k: new\n"),
    ],
)
def test_what_is_shared_by_an_anchor_is_left_alone(before: str, after: str | None) -> None:
    edit = Set(("y", "k"), "new")
    if after is None:
        with pytest.raises(EditRefused):
            apply(before, [edit])
    else:
        assert apply(before, [edit]) == after


@pytest.mark.parametrize(
    ("text", "edit"),
    [
        ("a: 1\n", Remove(("b",))),
        ("a: [1]\n", Remove(("a", 1))),
        ("a: 1\n", Insert(("a",), 1)),
        ("a: 1\n", Set(("a", "b"), 1)),
        ("a: [1]\n", Insert(("a",), 1, 5)),
        ("? a\n: 1\n", Set(("b",), 2)),
        ("x: &a {k: 1}\ny: {<<: *a}\n", Remove(("y", "k"))),
    ],
)
def test_an_edit_that_cannot_be_made_is_refused_and_not_guessed(text: str, edit: Edit) -> None:
    try:
        result = apply(text, [edit])
    except EditRefused:
        return
    assert same(parse_document(result), intended(parse_document(text), [edit]))


def test_a_text_that_is_not_yaml_is_an_error_and_not_a_refusal() -> None:
    with pytest.raises(ConfigurationError, match="line 2"):
        apply("a: 1\nb: ]\n", [Set(("a",), 2)])


def test_decoys_in_comments_strings_and_blocks_are_not_mistaken_for_the_place() -> None:
    text = '# api-key: a\nnote: |\n  api-key: b\n  # not a comment\nquoted: "api-key: c"\napi-key: d # api-key: e\n'
    assert apply(text, [Set(("api-key",), "new")]) == text.replace("api-key: d", "api-key: new")


def test_an_empty_text_gets_its_first_key_behind_its_comments() -> None:
    assert apply("# only this", [Set(("a", "b"), 1)]) == "# only this\na:\n  b: 1\n"


def test_quotes_are_kept_where_a_text_is_replaced() -> None:
    assert apply("a: 'x'\nb: \"y\"\nc: z\n", [Set(("a",), "p"), Set(("b",), "q"), Set(("c",), "r")]) == (
        "a: 'p'\nb: \"q\"\nc: r\n"
    )


def test_five_hundred_switches_among_thousands_of_keys_are_one_quick_pass() -> None:
    text = "claude-api-key:\n" + "".join(
        f"  - api-key: sk-{number} # {number}\n    base-url: https://api.example.com\n" for number in range(2000)
    )
    edits = [Insert(("claude-api-key", number * 4, "excluded-models"), "*") for number in range(500)]
    result = apply(text, edits)
    assert len(re.findall(r'^      - "\*"$', result, re.MULTILINE)) == 500
    assert apply(result, [Remove(edit.path) for edit in edits]) == text
