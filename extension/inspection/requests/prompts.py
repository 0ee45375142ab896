"""Prompts of chat and messages probes: as short as an answer can be had for."""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from extension.inspection.settings import PromptMode

FIXED_PROMPT = "ping"
RANDOM_PROMPTS = (
    "Name a colour.",
    "Name a fruit.",
    "Name a river.",
    "Name a planet.",
    "Name a tool.",
    "Name a bird.",
    "Say hello.",
    "Say yes.",
)
_LARGEST_TERM = 20


@dataclass(frozen=True, slots=True)
class Prompt:
    """Question of a probe, and the expected answer if there is one; the answer is evidence, never a failure."""

    text: str
    expected: str | None = None


def _fixed(_random: Random) -> Prompt:
    return Prompt(FIXED_PROMPT)


def _math(random: Random) -> Prompt:
    term, right = random.randint(1, _LARGEST_TERM), random.randint(1, _LARGEST_TERM)
    return Prompt(f"{term}+{right}=", expected=str(term + right))


def _from_list(random: Random) -> Prompt:
    return Prompt(random.choice(RANDOM_PROMPTS))


_MAKERS = {PromptMode.FIXED: _fixed, PromptMode.MATH: _math, PromptMode.RANDOM: _from_list}

LONGEST: Mapping[PromptMode, int] = {
    PromptMode.FIXED: len(FIXED_PROMPT.encode()),
    PromptMode.MATH: len(f"{_LARGEST_TERM}+{_LARGEST_TERM}=".encode()),
    PromptMode.RANDOM: max(len(prompt.encode()) for prompt in RANDOM_PROMPTS),
}
"""Bytes of the longest prompt each mode can make."""


def make_prompt(mode: PromptMode, random: Random) -> Prompt:
    """Make the prompt of one probe; the same generator state gives the same prompt."""
    return _MAKERS[mode](random)
