"""A key is found under every disguise, and under any pair of them, wherever it stands in an answer."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from adapter.privacy.disclosure import Disclosure, PoolKeys
from adapter.privacy.readings.search import TooManyReadingsError, readings
from tests.adapter.disguises import DISGUISES, ENCODED, combines
from tests.corpus.scenario import HELD_OUT, LATER, OPEN, scenarios

KEY = f"{'sk-ant-api03-'}Zq8Lm2Vx7Rw4Tn9Kc3Jd6Hs1Gf5By0"
OTHER = f"{'sk-proj-'}Aa1Bb2Cc3Dd4Ee5Ff6Gg7Hh8"
PAIRS = [(inner, outer) for inner in DISGUISES for outer in DISGUISES if combines(inner, outer)]
DETECTS = Disclosure([KEY], PoolKeys([OTHER, KEY]))
LONGEST = 20_480
CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
KEYS = st.text(alphabet=CHARACTERS, min_size=24, max_size=80)
CONTEXT = st.text(alphabet=st.characters(min_codepoint=32, max_codepoint=126), max_size=60)
WORD = re.compile(r"[A-Za-z][a-z]+|[A-Z]+|[0-9]+")


def answers(disguised: str) -> list[str]:
    """Return the answers that repeat it: JSON in both forms, and plain text."""
    message = f"the key {disguised} may not use it"
    body = {"error": {"message": message, "code": 403}}
    return [json.dumps(body, ensure_ascii=False), json.dumps(body), message]


@pytest.mark.parametrize("name", DISGUISES)
@pytest.mark.parametrize("key", [KEY, OTHER], ids=["own", "other"])
def test_a_key_is_found_under_every_disguise(name: str, key: str) -> None:
    assert all(DETECTS.within(answer) for answer in answers(DISGUISES[name](key)))


@pytest.mark.slow
@pytest.mark.parametrize("outer", DISGUISES)
def test_a_key_is_found_under_every_pair_of_disguises(outer: str) -> None:
    missed = {
        inner
        for inner in DISGUISES
        if combines(inner, outer)
        and not all(DETECTS.within(answer) for answer in answers(DISGUISES[outer](DISGUISES[inner](KEY))))
    }
    assert missed == set()


@given(KEYS, CONTEXT, CONTEXT, st.sampled_from(sorted(DISGUISES)))
def test_any_key_is_found_under_any_disguise_wherever_it_stands(key: str, before: str, after: str, name: str) -> None:
    text = f"{before} {DISGUISES[name](key)} {after}"
    detects = Disclosure([key], PoolKeys())
    assert detects.within(text)
    assert detects.within(json.dumps({"message": text}))


@given(KEYS, CONTEXT, CONTEXT, st.sampled_from(PAIRS))
def test_any_key_is_found_under_any_pair_of_disguises(key: str, before: str, after: str, pair: tuple[str, str]) -> None:
    inner, outer = pair
    text = f"{before} {DISGUISES[outer](DISGUISES[inner](key))} {after}"
    assert Disclosure([key], PoolKeys()).within(text)


@given(KEYS, st.integers(0, 80), CONTEXT, st.sampled_from(sorted(DISGUISES.keys() - {"base85", "ascii85"})))
def test_any_eight_characters_are_found_unless_they_are_a_word(key: str, start: int, before: str, name: str) -> None:
    start = min(start, len(key) - 8)
    part = key[start : start + 8]
    assume(not WORD.fullmatch(part))
    assert Disclosure([key], PoolKeys()).within(f"{before} {DISGUISES[name](part)}.")


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
    style = (
        "*{box-sizing:border-box;margin:0}html{line-height:1.15;color:#313131}@media (width <= 720px){.m{margin:4rem}}"
    )
    script = "window._opt={zone:'api.example.com',ray:'8f1c2d3e4f5a6b7c',u:\"\\/v1\\/models?a=%20b\",t:1763900000};"
    text = "<p>Enable JavaScript &amp; cookies&hellip;</p>"
    part = f"<div class='m'>{text}\n<style>{style}</style>\n<script>{script}</script>"
    assert not DETECTS.within(f"<!DOCTYPE html><html><body>{part * 60}"[:LONGEST])


@pytest.mark.parametrize("mark", ["%25%41\\u0025<b>=41=42 65 &amp;#65; {} ", "&#65;<i>%2541 {} \\x41 =41=42=43=44 "])
def test_a_text_with_too_many_readings_is_not_shown(mark: str) -> None:
    text = "".join(mark.format(number) for number in range(LONGEST))[:LONGEST]
    with pytest.raises(TooManyReadingsError):
        list(readings(text))
    assert DETECTS.within(text)


@given(st.text(st.characters(codec=None), max_size=2_000))
def test_no_text_breaks_the_readings(text: str) -> None:
    DETECTS.within(text)


@given(st.binary(max_size=200), st.sampled_from(sorted(ENCODED)))
def test_no_encoded_bytes_break_the_readings(content: bytes, name: str) -> None:
    DETECTS.within(ENCODED[name](content.decode("latin-1")))
