from hypothesis import given
from hypothesis import strategies as st

from extension.inspection.requests.prompts import FIXED_PROMPT, RANDOM_PROMPTS, make_prompt
from extension.inspection.settings import PromptMode
from tests.extension.inspection.samples import chance


def test_the_fixed_prompt_is_one_word_without_an_expected_answer() -> None:
    prompt = make_prompt(PromptMode.FIXED, chance(1))

    assert (prompt.text, prompt.expected) == (FIXED_PROMPT, None)
    assert len(FIXED_PROMPT.split()) == 1


@given(st.integers())
def test_the_sum_expects_what_it_comes_to(seed: int) -> None:
    prompt = make_prompt(PromptMode.MATH, chance(seed))
    left, right = prompt.text.removesuffix("=").split("+")

    assert prompt.expected == str(int(left) + int(right))


@given(st.integers())
def test_a_random_prompt_is_from_the_list(seed: int) -> None:
    assert make_prompt(PromptMode.RANDOM, chance(seed)).text in RANDOM_PROMPTS


@given(st.sampled_from(PromptMode), st.integers())
def test_the_same_chance_gives_the_same_prompt(mode: PromptMode, seed: int) -> None:
    assert make_prompt(mode, chance(seed)) == make_prompt(mode, chance(seed))
