"""The language of the tests is English, whatever the machine's is."""

import pytest


@pytest.fixture(autouse=True)
def _in_english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POOLKEEPER_LANG", "en")
