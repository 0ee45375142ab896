"""A removal keeps every byte that a person wrote outside the section after the installation."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.rules.config_text import config_values
from extension.plugin.install.config_edit import enabled_text
from extension.plugin.install.installation_record import Installation, text_without_plugin

SETTINGS = {"command": ["/opt/bin/poolkeeper", "plugin", "serve"], "management-key-file": "/g/key"}
HEAD = "host: x\nauth-dir: ./auths # mine\n\n# about keys\napi-keys:\n  - one\n  - 'two'\n"
SECTIONS = (
    "",
    "plugins: {}\n",
    "plugins: # mine\n",
    "plugins: {enabled: false} # off\n",
    "plugins:\n  enabled: false\n",
    "plugins:\n  enabled: true\n  configs:\n    other:\n      enabled: true\n",
    "plugins:\n  configs:\n    other: {enabled: true}\n  enabled: false\n",
)
WRITTEN = (
    "# person {}\n",
    "person-{}: 1\n",
    "person-{}:\n  - a # b\n  - {{c: d}}\n",
    "# person {}\n\n",
    "person-{}: 'x'",
)
"""Lines of a person, each at the beginning of a line; the last one leaves the text without a newline."""


@st.composite
def _edits(draw: st.DrawFn) -> list[tuple[float, str]]:
    found = draw(st.lists(st.tuples(st.floats(0, 1), st.sampled_from(WRITTEN[:-1])), max_size=3))
    texts = [(place, text.format(number)) for number, (place, text) in enumerate(found)]
    return [*texts, *draw(st.lists(st.sampled_from([(2.0, text.format("last")) for text in WRITTEN]), max_size=1))]


def _boundaries(text: str) -> list[int]:
    """Return the beginnings of lines at which a new line belongs to no value above it."""
    starts = [0, *(at + 1 for at, sign in enumerate(text) if sign == "\n")]
    return [at for at in starts if at < len(text) and not text[at].isspace() and text[at] != "-"]


def _edited(text: str, edits: list[tuple[float, str]], ends: str) -> str:
    """Write the lines of a person into a text; places above one are its end."""
    for place, lines in edits:
        written = lines.replace("\n", ends)
        places = _boundaries(text)
        if place <= 1 and places:
            at = places[min(int(place * len(places)), len(places) - 1)]
            text = text[:at] + written + text[at:]
        else:
            text += (ends if text and not text.endswith("\n") else "") + written
    return text


def _without(text: str, edits: list[tuple[float, str]], ends: str) -> str:
    for _, lines in edits:
        written = lines.replace("\n", ends)
        assert text.count(written) == 1, (written, text)
        text = text.replace(written, "")
    return text


def _meaning(values: dict[str, Any]) -> dict[str, Any]:
    """Leave out what a removal may keep: plugins.enabled, and empty parts of the section."""
    configs = (values.get("plugins") or {}).get("configs") or {}
    return {**values, "plugins": {"configs": configs} if configs else {}}


@given(
    section=st.sampled_from(SECTIONS),
    first=st.booleans(),
    final=st.booleans(),
    ends=st.sampled_from(["\n", "\r\n"]),
    edits=_edits(),
)
def test_lines_of_a_person_outside_the_section_survive_a_removal(
    section: str, *, first: bool, final: bool, ends: str, edits: list[tuple[float, str]]
) -> None:
    whole = section + HEAD if first else HEAD + section
    before = (whole if final else whole.rstrip("\n")).replace("\n", ends)
    installed = enabled_text(before, SETTINGS)

    left = text_without_plugin(_edited(installed, edits, ends), Installation.between(before, installed))

    expected = config_values(_edited(before, edits, ends))
    assert _meaning(config_values(left)) == _meaning(expected)
    rest = _without(left, edits, ends)
    if config_values(left).get("plugins") == config_values(before).get("plugins"):
        assert rest.rstrip("\r\n") == before.rstrip("\r\n")


@pytest.mark.parametrize("last", ["api-keys:\n  - 'one'", "debug: false", "plugins:\n  enabled: false"])
@pytest.mark.parametrize("lines", ["# person\ny: 1\n", "\n# person\n", "y: 1"])
def test_lines_behind_a_text_without_a_final_newline_are_not_glued_to_it(last: str, lines: str) -> None:
    before = f"port: 1\n{last}"
    installed = enabled_text(before, SETTINGS)
    separator = "" if installed.endswith("\n") else "\n"

    left = text_without_plugin(installed + separator + lines, Installation.between(before, installed))

    assert left == f"{before}\n{lines}"


def test_a_last_line_that_was_continued_keeps_what_was_written() -> None:
    before = "port: 1\nplugins: {}"
    installed = enabled_text(before, SETTINGS)

    assert text_without_plugin(f"{installed} # mine\n", Installation.between(before, installed)) == f"{before} # mine\n"
