"""The legend of the page is the table of statuses, in the language of the catalogue."""

from extension.inspection.evidence.verdict_table import VERDICTS
from extension.texts.catalogue import REFERENCE, catalogue


def test_the_english_catalogue_has_labels_and_meanings_of_the_table() -> None:
    texts = catalogue(REFERENCE)

    for verdict, row in VERDICTS.items():
        found = (texts.text(f"status.{verdict.value}"), texts.text(f"status_meaning.{verdict.value}"))
        assert found == (row.label, row.meaning)


def test_no_meaning_belongs_to_a_status_that_does_not_exist() -> None:
    assert set(catalogue(REFERENCE).keys("status_meaning")) == {f"status_meaning.{each.value}" for each in VERDICTS}
