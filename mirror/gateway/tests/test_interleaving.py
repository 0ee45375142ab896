"""One gateway that goes on: management writes, edits by others, reloads, crashes and new starts in any order."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gateway.internal.configuration.errors import ConfigurationError
from gateway.internal.configuration.files import LONGEST_FILE
from gateway.internal.configuration.loading import parse
from gateway.internal.configuration.secret import is_hashed
from gateway.internal.operations.changing import Refused
from gateway.internal.runtime import Runtime
from tests.disk import Disk, PowerCut
from tests.operations.further_writes import further_writes
from tests.operations.writes import POOL, Write, writes
from tests.test_crashes import CONFIG, check_nothing_lost, disk_with, text_of, written

NOTE = "\n# note {0}\nnote-{0}: {0} # kept\n"


@dataclass(frozen=True)
class Edit:
    """Somebody appends a note, without telling."""


@dataclass(frozen=True)
class Half:
    """Somebody's editor has written half of the file so far, and goes on after the next step."""


@dataclass(frozen=True)
class Reload:
    """The gateway looks at its files."""


Step = Write | Edit | Half | Reload


class Life:
    """A gateway on a disk of its own, the writes it was told, and what its file must say."""

    def __init__(self, disk: Disk, rename: bool) -> None:
        self.disk = disk
        self.rename = rename
        self.runtime = self._new()
        self.whole: str | None = None
        self.notes = 0

    def _new(self) -> Runtime:
        return Runtime(Path(CONFIG), environment={}, files=self.disk, hashing_cost=4, watch=False)

    @property
    def text(self) -> str:
        return text_of(self.disk)

    @text.setter
    def text(self, text: str) -> None:
        self.disk.contents[Path(CONFIG)] = text.encode()

    async def start(self) -> None:
        self.disk.break_at = 0
        self.runtime = self._new()
        await self.runtime.start()

    async def take(self, step: Step, break_at: int) -> None:
        """Take a step; the machine stops at a file operation of it, if it has so many, and is started again."""
        before, half = self.text, self.whole
        match step:
            case Edit():
                self.notes += 1
                self.whole = None
                self.text = (before if half is None else half) + NOTE.format(self.notes)
            case Half():
                self.whole = before if half is None else half
                self.text = self.whole[: len(self.whole) // 2] + "\n: ["
            case Reload():
                await self._live(self.runtime.reload, break_at)
                assert self.text == before
            case Write() if half is not None:
                await self._live(lambda: step.make(self.runtime), break_at)
                assert step.whole or self.text == before
                self.whole = None if self.text != before else half
            case Write():
                goal = text_of(await written(before, step, rename=self.rename))
                await self._live(lambda: step.make(self.runtime), break_at)
                assert self.text in {before, goal}
                if not step.whole:
                    check_nothing_lost(before, self.text)

    async def _live(self, work: object, break_at: int) -> None:
        assert callable(work)
        self.disk.calls.clear()
        self.disk.break_at = break_at
        try:
            with suppress(Refused):
                await work()
        except PowerCut:
            with suppress(ConfigurationError):  # half of a text that somebody else writes starts no gateway
                await self.start()
        self.disk.break_at = 0


STEPS = st.one_of(writes(), further_writes(), st.just(Edit()), st.just(Half()), st.just(Reload()), writes())


@settings(max_examples=60)
@given(st.lists(st.tuples(STEPS, st.integers(0, 14)), min_size=1, max_size=8), st.booleans())
def test_config_yaml_survives_a_life_of_writes_edits_reloads_crashes_and_starts(
    steps: list[tuple[Step, int]], rename: bool
) -> None:
    async def run() -> None:
        life = Life(disk_with(POOL, rename=rename), rename)
        await life.start()
        for step, break_at in steps:
            await life.take(step, break_at)
            if life.whole is None:
                parse(life.text)
        if life.whole is not None:
            life.text = life.whole
        await life.runtime.reload()
        assert life.runtime.text == life.text

    asyncio.run(run())


CLEAR = POOL.replace("  my-own:", '  secret-key: "in clear" # mine\n  my-own:')


@pytest.mark.parametrize("rename", [True, False])
@pytest.mark.parametrize("reloading", [True, False])
def test_a_secret_being_hashed_when_the_machine_stops_is_in_clear_or_a_hash(rename: bool, reloading: bool) -> None:
    async def run(break_at: int) -> tuple[int, str]:
        life = Life(disk_with(POOL if reloading else CLEAR, rename=rename), rename)
        if reloading:
            await life.start()
            life.text = CLEAR
        life.disk.calls.clear()
        life.disk.break_at = break_at
        with suppress(PowerCut):
            await (life.runtime.reload() if reloading else life.runtime.start())
        calls = len(life.disk.calls)
        await life.start()
        return calls, life.text

    calls, _ = asyncio.run(run(0))
    for number in range(calls + 1):
        _, text = asyncio.run(run(number))
        secret = parse(text).management.secret_key
        assert is_hashed(secret)
        assert text == CLEAR.replace("in clear", secret)


def test_an_edit_while_the_secret_is_being_hashed_is_not_written_over() -> None:
    class Edited(Disk):
        """Somebody saves once more between the two looks at the file."""

        reads = 0

        def read(self, path: Path, longest: int = LONGEST_FILE) -> bytes:
            content = super().read(path, longest)
            self.reads += 1
            if self.reads == 2:  # the first look decides that there is something to load
                self.contents[path] = content + NOTE.format(1).encode()
            return content

    async def run() -> str:
        disk = Edited({CONFIG: CLEAR.encode()})
        life = Life(disk, rename=True)
        await life.start()
        assert life.runtime.text == life.text
        return life.text

    text = asyncio.run(run())
    secret = parse(text).management.secret_key
    assert text == CLEAR.replace("in clear", secret) + NOTE.format(1)
