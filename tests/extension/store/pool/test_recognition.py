from collections.abc import Callable
from dataclasses import replace

import pytest

from extension.store.pool import recognition
from extension.store.pool.recognition import Identity, Recognition, identity, recognize
from extension.store.records import AccountFacts, AccountRecord
from tests.extension.store.rows import FACTS, NOW

PLAIN = replace(FACTS, section="claude-api-key", compat_name="")
PROXY = replace(PLAIN, discriminator="by proxy")


def rows(*facts: AccountFacts) -> dict[Identity, AccountRecord]:
    return {identity(entry): AccountRecord(number, 1, entry, NOW) for number, entry in enumerate(facts, start=1)}


def alike(*numbers: int, identical: int) -> list[AccountFacts]:
    return [replace(PLAIN, discriminator=f"#{number}" if number else "", identical=identical) for number in numbers]


def seen(stored: dict[Identity, AccountRecord], *facts: AccountFacts) -> Recognition:
    return recognize(stored, facts)


def test_entries_that_differ_in_one_part_of_the_identity_are_accounts_of_their_own() -> None:
    others = [
        replace(PLAIN, source="oauth"),
        replace(PLAIN, section="codex-api-key"),
        replace(PLAIN, compat_name="other"),
        replace(PLAIN, fingerprint="other"),
        PROXY,
    ]
    recognition = seen({}, PLAIN, *others)
    assert len(recognition.new) == 6
    assert set(recognition.new) == {PLAIN, *others}


def test_an_edited_entry_keeps_its_number_where_one_account_alone_can_be_meant() -> None:
    recognition = seen(rows(PLAIN), PROXY)
    assert (recognition.known, recognition.new, recognition.disowned) == ({1: PROXY}, [], set())


def test_an_edited_entry_with_another_of_its_key_beside_it_is_disowned() -> None:
    other = replace(PLAIN, discriminator="by header")
    recognition = seen(rows(PLAIN, other), PROXY, other)
    assert (recognition.known, recognition.disowned) == ({1: PROXY, 2: other}, {1})


def test_an_edited_entry_is_new_where_several_accounts_can_be_meant() -> None:
    other = replace(PLAIN, discriminator="by header")
    recognition = seen(rows(PLAIN, other), PROXY)
    assert (recognition.known, recognition.new) == ({}, [PROXY])


def test_an_entry_of_another_provider_is_never_taken_for_an_edited_one() -> None:
    assert seen(rows(PLAIN), replace(PLAIN, compat_name="other")).known == {}


@pytest.mark.parametrize(("before", "after"), [(2, 1), (2, 3), (1, 2)])
def test_identical_entries_are_disowned_when_their_count_changes(before: int, after: int) -> None:
    stored = rows(*alike(*range(before), identical=before))
    recognition = seen(stored, *alike(*range(after), identical=after))
    assert recognition.disowned == set(range(1, min(before, after) + 1))
    assert seen(stored, *alike(*range(before), identical=before)).disowned == set()


def test_an_identical_entry_that_comes_back_is_disowned_with_the_others() -> None:
    (present,) = alike(0, identical=1)
    (gone,) = alike(1, identical=2)
    assert seen(rows(present, gone), *alike(0, 1, identical=2)).disowned == {1, 2}


def test_the_work_for_a_large_pool_that_is_new_grows_with_its_length_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_at: list[AccountFacts] = []
    for name in ("_key", "_provider"):
        monkeypatch.setattr(recognition, name, noting(getattr(recognition, name), looked_at))
    new = [replace(PLAIN, fingerprint=f"f{number % 300}", discriminator=f"d{number}") for number in range(900)]

    assert len(seen({}, *new).new) == 900
    assert len(looked_at) <= 5 * 900


def noting(
    work: Callable[[AccountFacts], tuple[str, str]], noted: list[AccountFacts]
) -> Callable[[AccountFacts], tuple[str, str]]:
    def noted_work(facts: AccountFacts) -> tuple[str, str]:
        noted.append(facts)
        return work(facts)

    return noted_work
