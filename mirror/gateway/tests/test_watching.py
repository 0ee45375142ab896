import asyncio
from collections.abc import Callable, Hashable

from gateway.internal.watching import Watcher


class Scene:
    def __init__(self) -> None:
        self.now: Hashable | Callable[[], Hashable] = "a"
        self.calls = 0
        self.fails = False

    def look(self) -> Hashable:
        if callable(self.now):
            return self.now()
        return self.now

    async def changed(self) -> None:
        self.calls += 1
        if self.fails:
            raise RuntimeError("on purpose")


def unreadable() -> Hashable:
    raise PermissionError(13, "no")


async def settled() -> tuple[Scene, Watcher]:
    scene = Scene()
    watcher = Watcher(scene.look, scene.changed)
    await watcher.settle()
    return scene, watcher


async def test_nothing_happens_while_nothing_changes() -> None:
    scene, watcher = await settled()
    assert [await watcher.check() for _ in range(3)] == [False] * 3
    assert scene.calls == 0


async def test_a_change_counts_once_and_only_when_it_has_come_to_rest() -> None:
    scene, watcher = await settled()
    results = []
    for state in "bcdddd":
        scene.now = state
        results.append(await watcher.check())
    assert results == [False, False, False, True, False, False]
    assert scene.calls == 1


async def test_a_burst_that_ends_where_it_began_is_no_change() -> None:
    scene, watcher = await settled()
    for state in "bcaa":
        scene.now = state
        await watcher.check()
    assert scene.calls == 0


async def test_a_failing_reload_does_not_end_the_watching() -> None:
    scene, watcher = await settled()
    scene.fails = True
    scene.now = "b"
    assert [await watcher.check(), await watcher.check()] == [False, True]
    scene.now = "c"
    assert [await watcher.check(), await watcher.check()] == [False, True]
    assert scene.calls == 2


async def test_what_cannot_be_looked_at_is_a_state_like_any_other() -> None:
    scene, watcher = await settled()
    scene.now = unreadable
    assert [await watcher.check(), await watcher.check(), await watcher.check()] == [False, True, False]


async def test_running_means_looking_again_and_again_until_cancelled() -> None:
    looks = iter("aabbb")
    seen = asyncio.Event()

    async def changed() -> None:
        seen.set()

    watcher = Watcher(lambda: next(looks, "b"), changed, seconds=0)
    await watcher.settle()
    task = asyncio.create_task(watcher.run())
    await asyncio.wait_for(seen.wait(), 10)
    task.cancel()
    await asyncio.wait([task])
    assert task.cancelled()
