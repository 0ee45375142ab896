"""Keys are found in each form an upstream may repeat them in, and ordinary texts are not taken for keys."""

import json
import re
from collections.abc import Callable

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from adapter.privacy.disclosure import Disclosure, PoolKeys
from tests.adapter.key_forms import FORMS
from tests.corpus.scenario import HELD_OUT, LATER, OPEN, scenarios

CLAUDE, OPENAI = "sk-ant-api03-", "sk-proj-"
KEY = f"{CLAUDE}Zq8Lm2Vx7Rw4Tn9Kc3Jd6Hs1Gf5By0"
OTHER = f"{OPENAI}Aa1Bb2Cc3Dd4Ee5Ff6Gg7Hh8"
DETECTS = Disclosure([KEY], PoolKeys([OTHER, KEY]))
LONGEST = 20_480
WORD = re.compile(r"[A-Za-z][a-z]+|[A-Z]+|[0-9]+")
RANDOM = st.text(alphabet="ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", min_size=24, max_size=80)
CONTEXT = st.text(alphabet=st.characters(min_codepoint=32, max_codepoint=126), max_size=60)


@pytest.mark.parametrize("form", FORMS.values(), ids=list(FORMS))
@pytest.mark.parametrize("key", [KEY, OTHER], ids=["own", "other"])
def test_a_key_is_found_in_every_form(key: str, form: Callable[[str], str]) -> None:
    assert DETECTS.within(json.dumps({"error": f"invalid key {form(key)}, sorry"}))


@pytest.mark.parametrize(
    "part",
    [KEY[:-1], KEY[-12:], KEY[13:25], " ".join(KEY), KEY.upper(), KEY.encode().hex(":")],
    ids=["all but the last", "the last twelve", "twelve beyond the prefix", "spaced", "upper case", "with colons"],
)
def test_parts_of_the_own_key_are_found_whatever_marks_are_between(part: str) -> None:
    assert DETECTS.within(f"invalid: {part}.")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "invalid x-api-key",
        '{"type": "error", "error": {"type": "authentication_error", "message": "invalid x-api-key"}}',
        "Incorrect API key provided: sk-ant-api03-. You can find your API key at https://platform.example.",
        f"The key ends in {KEY[-4:]} and begins with {KEY[:15]}.",
        f"Not found: {OTHER[-11:]}",
    ],
)
def test_ordinary_texts_are_shown(text: str) -> None:
    assert not DETECTS.within(text)


@given(RANDOM, CONTEXT, CONTEXT, st.sampled_from(sorted(FORMS)))
def test_any_key_is_found_in_any_form_wherever_it_stands(key: str, before: str, after: str, name: str) -> None:
    text = f"{before} {FORMS[name](key)} {after}"
    for answer in (text, json.dumps({"message": text})):
        assert Disclosure([key], PoolKeys()).within(answer)
        assert Disclosure([], PoolKeys([key])).within(answer)


@given(RANDOM, st.integers(0, 80), CONTEXT, st.sampled_from([8, 12]))
def test_any_eight_characters_are_found_unless_they_are_a_word(key: str, start: int, before: str, size: int) -> None:
    start = min(start, len(key) - size)
    part = key[start : start + size]
    assume(size > 8 or not WORD.fullmatch(part))
    assert Disclosure([key], PoolKeys()).within(f"{before} {part}.")


def test_a_word_in_a_key_does_not_hide_answers_that_hold_it() -> None:
    detects = Disclosure(["team-anthropic-20261123-q8Lm2Vx7"], PoolKeys())
    assert not detects.within("Anthropic is overloaded, try again after 2026-11-23T00:00:00Z")
    assert detects.within("the key anthropic-20261123 is unknown")


def test_no_answer_of_the_corpus_is_hidden() -> None:
    bodies = {
        str(body)
        for folder in (OPEN, HELD_OUT, LATER)
        for scenario in scenarios(folder)
        for answer in (*scenario.given["exchanges"], *scenario.given["control"].values())
        if isinstance(answer, dict) and (body := answer.get("body"))
    }
    assert len(bodies) > 500
    assert {body for body in bodies if DETECTS.within(body)} == set()


def test_a_long_page_of_a_firewall_is_shown() -> None:
    style = "*{box-sizing:border-box}html{line-height:1.15;color:#313131}@media (width <= 720px){.m{margin:4rem}}"
    script = "window._opt={zone:'api.example.com',ray:'8f1c2d3e4f5a6b7c',u:\"\\/v1\\/models?a=%20b\",t:1763900000};"
    part = f"<p>Enable JavaScript &amp; cookies&hellip;</p>\n<style>{style}</style>\n<script>{script}</script>"
    assert not DETECTS.within(f"<!DOCTYPE html><html><body>{part * 60}"[:LONGEST])


@given(st.text(st.characters(codec=None), max_size=2_000))
def test_no_text_breaks_the_detection(text: str) -> None:
    DETECTS.within(text)


def test_a_large_pool_is_searched_in_one_pass() -> None:
    pool = PoolKeys(f"sk-{number:032x}" for number in range(10_000))
    assert Disclosure([], pool).within(f"no such key: sk-{9_999:032x}")
    assert not Disclosure([], pool).within("no such key: sk-" + "f" * 32)
