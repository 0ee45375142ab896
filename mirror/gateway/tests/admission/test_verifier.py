import asyncio
import threading
from collections.abc import AsyncIterator

import bcrypt
import pytest

from gateway.internal.admission import verifier as module
from gateway.internal.admission.verifier import MOST_WAITING, RESERVED, TooManyChecks, Verifier

KEY = "correct horse"
HASH = bcrypt.hashpw(KEY.encode(), bcrypt.gensalt(4)).decode()


class Held:
    """Stands for bcrypt: every check waits until it is let go, and says in which thread it ran."""

    def __init__(self) -> None:
        self.go = threading.Event()
        self.threads: set[str] = set()

    def __call__(self, key: bytes, stored_hash: bytes) -> bool:
        self.threads.add(threading.current_thread().name)
        assert self.go.wait(10)
        return bcrypt.checkpw(key, stored_hash)


@pytest.fixture
async def held(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Held]:
    holding = Held()
    monkeypatch.setattr(module, "_check", holding)
    yield holding
    holding.go.set()


async def started(*checks: asyncio.Task[bool]) -> None:
    """Let every task run up to where it waits."""
    for _ in checks:
        await asyncio.sleep(0)


async def test_all_checks_run_in_one_thread_of_their_own(held: Held) -> None:
    verifier = Verifier()
    tasks = [asyncio.create_task(verifier.matches(f"guess {n}", HASH)) for n in range(5)]
    held.go.set()
    assert await asyncio.gather(*tasks) == [False] * 5
    (name,) = held.threads
    assert name.startswith("bcrypt")


async def test_a_check_that_finds_the_queue_full_is_refused_at_once_and_one_from_this_machine_is_not(
    held: Held,
) -> None:
    verifier = Verifier()
    tasks = [asyncio.create_task(verifier.matches(f"guess {n}", HASH)) for n in range(MOST_WAITING)]
    await started(*tasks)
    with pytest.raises(TooManyChecks):
        await verifier.matches(KEY, HASH)
    here = [asyncio.create_task(verifier.matches(KEY, HASH, local=True)) for _ in range(RESERVED)]
    await started(*here)
    with pytest.raises(TooManyChecks):
        await verifier.matches(KEY, HASH, local=True)
    held.go.set()
    assert all(await asyncio.gather(*here))
    await asyncio.gather(*tasks)


async def test_places_are_free_again_after_the_checks_also_of_callers_who_left(held: Held) -> None:
    verifier = Verifier()
    tasks = [asyncio.create_task(verifier.matches(f"guess {n}", HASH)) for n in range(MOST_WAITING)]
    await started(*tasks)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    with pytest.raises(TooManyChecks):
        await verifier.matches(KEY, HASH)
    held.go.set()
    assert await verifier.matches(KEY, HASH, local=True)
    assert await verifier.matches(KEY, HASH)


async def test_a_closed_verifier_refuses() -> None:
    verifier = Verifier()
    verifier.close()
    with pytest.raises(TooManyChecks):
        await verifier.matches(KEY, HASH)
