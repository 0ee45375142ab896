"""Every code of error answers has a text in the catalogues."""

from extension.texts.catalogue import REFERENCE, catalogue
from tests.repository.documents.problem_codes import problem_rows


def test_every_error_of_the_service_has_a_text() -> None:
    texts = catalogue(REFERENCE)

    assert [row.code for row in problem_rows() if not texts.has(f"error.{row.code}")] == []


def test_no_error_has_a_text_that_the_service_does_not_raise() -> None:
    codes = {row.code for row in problem_rows()}

    assert {key.split(".")[1] for key in catalogue(REFERENCE).keys("error", "error_hint")} <= codes
