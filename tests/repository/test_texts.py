"""Every language has every text, and every text is used."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from extension.texts import CATALOGUES
from extension.texts.catalogue import catalogue as service_catalogue
from tests.repository.tracked import hand_written, modules_below, text_of, tree_of
from tools.project.generate.interface import problem_rows

REFERENCE = "en"
LANGUAGES = sorted(path.stem for path in CATALOGUES.glob("*.json"))
PLURAL_FORMS = {"zero", "one", "two", "few", "many", "other"}
PLACEHOLDER = re.compile(r"\{(\w+)\}")
TEMPLATE = re.compile(r"`([a-z_]+\.[a-z_]*)\$\{")
"""A key whose last part is a token, such as `pages.${name}`."""
GROUP = re.compile(r"(?:tokenText|token_text)\(\"([a-z_]+)\"")
"""A group whose names are tokens of the service."""
IMPORTED = re.compile(r"import \{ ([a-z_]+) as \w+ \} from \"[./]+/texts/")
"""A group that a module imports whole."""


def catalogue(language: str, folder: Path = CATALOGUES) -> dict[str, str | dict[str, str]]:
    groups = json.loads((folder / f"{language}.json").read_text("utf-8"))
    return {f"{group}.{name}": entry for group, entries in groups.items() for name, entry in entries.items()}


def unused(texts: Mapping[str, object], sources: str) -> list[str]:
    """Return the keys that appear in no source, neither whole nor by a template of their group."""
    starts = (
        *TEMPLATE.findall(sources),
        *(f"{group}." for group in (*GROUP.findall(sources), *IMPORTED.findall(sources))),
    )
    return [key for key in texts if f'"{key}"' not in sources and not key.startswith(starts)]


def sources() -> str:
    names = [name for name in hand_written(".js", ".py", ".ts", ".tsx") if name.startswith("extension/")]
    return "\n".join(text_of(name) for name in names)


def forms(entry: str | dict[str, str]) -> list[str]:
    return [entry] if isinstance(entry, str) else list(entry.values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_has_the_texts_of_the_reference_and_no_others(language: str) -> None:
    assert list(catalogue(language)) == list(catalogue(REFERENCE))


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_is_empty_and_plural_forms_are_those_of_unicode(language: str) -> None:
    for key, entry in catalogue(language).items():
        assert all(form.strip() for form in forms(entry)), key
        if not isinstance(entry, str):
            assert "other" in entry, key
            assert set(entry) <= PLURAL_FORMS, key


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_text_has_the_parameters_of_the_reference(language: str) -> None:
    reference = catalogue(REFERENCE)
    for key, entry in catalogue(language).items():
        parameters = {name for form in forms(reference[key]) for name in PLACEHOLDER.findall(form)}
        assert {name for form in forms(entry) for name in PLACEHOLDER.findall(form)} == parameters, key


def test_every_text_is_used() -> None:
    assert unused(catalogue(REFERENCE), sources()) == ["language.name"]  # read by the generator of the page's constants


def test_a_text_without_use_is_found_by_its_key() -> None:
    used = 'text("a.b"); text(`c.${name}`); tokenText("d", token)'

    assert unused({"a.b": "", "a.c": "", "c.x": "", "d.y": ""}, used) == ["a.c"]


CODED = {"bad_request", "bad_setting", "bad_price"}
"""Errors whose text names what is wrong with a request: in another language that is phrased from reasons."""


def test_the_texts_of_errors_are_those_of_the_errors_that_the_service_raises() -> None:
    codes = {row.code for row in problem_rows()}
    texts = service_catalogue(REFERENCE)

    assert [code for code in codes if not texts.has(f"error.{code}")] == []
    assert {key.split(".")[1] for key in texts.keys("error", "error_hint")} <= codes


def test_no_request_is_refused_in_words_without_a_code() -> None:
    worded = [
        f"{name}: {call.args[2].value}"
        for name in modules_below("extension")
        for call in ast.walk(tree_of(name))
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "Problem" and len(call.args) > 3
        if isinstance(call.args[2], ast.Constant) and call.args[2].value in CODED
        if not any(keyword.arg == "reasons" for keyword in call.keywords)
    ]

    assert worded == []
