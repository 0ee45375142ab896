"""Every code of error answers has a text in the catalogues."""

import ast

from extension.texts.catalogue import REFERENCE, catalogue
from tests.repository.tracked import hand_written, text_of
from tools.project.generate.interface import problem_rows

CODED = {"bad_request", "bad_setting", "bad_price"}
"""Errors whose text names what is wrong with a request: in another language that is phrased from reasons."""


def test_every_error_of_the_service_has_a_text() -> None:
    texts = catalogue(REFERENCE)

    assert [row.code for row in problem_rows() if not texts.has(f"error.{row.code}")] == []


def test_no_error_has_a_text_that_the_service_does_not_raise() -> None:
    codes = {row.code for row in problem_rows()}

    assert {key.split(".")[1] for key in catalogue(REFERENCE).keys("error", "error_hint")} <= codes


def test_no_request_is_refused_in_words_without_a_code() -> None:
    worded = [
        f"{name}: {call.args[2].value}"
        for name in hand_written(".py")
        if name.startswith("extension/")
        for call in ast.walk(ast.parse(text_of(name)))
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "Problem" and len(call.args) > 3
        if isinstance(call.args[2], ast.Constant) and call.args[2].value in CODED
        if not any(each.arg == "reasons" for each in call.keywords)
    ]

    assert worded == []
