"""Whatever is written through the management API, and wherever the machine stops: config.yaml stays whole."""

import asyncio
import errno
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from gateway.internal.configuration.document import parse_document
from gateway.internal.configuration.loading import parse
from gateway.internal.configuration.oauth_maps import OAUTH_MAPS
from gateway.internal.configuration.sections import Section
from gateway.internal.operations.changing import Refused
from gateway.internal.runtime import Runtime
from tests.disk import Disk, PowerCut
from tests.operations.writes import POOL, Write, writes

CONFIG = "/gateway/config.yaml"
SETTINGS_WRITTEN = ("debug", "proxy-url", "routing", "request-retry", "quota-exceeded", "api-keys")
NOTE = "\n# somebody's note {0}\nnote-{0}: 1 # kept\n"


def disk_with(text: str, *, rename: bool) -> Disk:
    disk = Disk({CONFIG: text.encode()})
    disk.refuse_rename = 0 if rename else errno.EBUSY
    return disk


def text_of(disk: Disk) -> str:
    return disk.contents[Path(CONFIG)].decode()


async def started(disk: Disk) -> Runtime:
    runtime = Runtime(Path(CONFIG), environment={}, files=disk, watch=False)
    await runtime.start()
    return runtime


async def written(text: str, write: Write, *, rename: bool, break_at: int = 0) -> Disk:
    """Make one write on a machine that may stop at one of the file operations, and return its disk."""
    disk = disk_with(text, rename=rename)
    runtime = await started(disk)
    disk.calls.clear()
    disk.break_at = break_at
    with suppress(Refused, PowerCut):
        await write.make(runtime)
    return disk


async def recovered(disk: Disk) -> str:
    """Start again after the machine stopped, and return what config.yaml says then."""
    disk.break_at = 0
    runtime = await started(disk)
    assert {path.name for path in disk.contents} <= {"config.yaml"}
    await runtime.stop()
    return text_of(disk)


def notes(value: Any, place: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield the place and the value of every field that nobody here knows; an item of a list goes by its name."""
    if isinstance(value, dict):
        for name, item in value.items():
            if str(name).startswith("x-"):
                yield (*place, name), item
            else:
                yield from notes(item, (*place, str(name)))
    for item in value if isinstance(value, list) else ():
        if isinstance(item, dict):
            yield from notes(item, (*place, named(item)))


def named(item: Any) -> str:
    return str(item.get("api-key") or item.get("name"))


def places(value: Any, place: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield every place there is."""
    yield place
    for name, item in value.items() if isinstance(value, dict) else ():
        yield from places(item, (*place, str(name)))
    for item in value if isinstance(value, list) else ():
        if isinstance(item, dict):
            yield from places(item, (*place, named(item)))


def check_nothing_lost(before: str, after: str) -> None:
    """Check that comments and unknown keys outlive a write; an entry's own go with it only."""
    parse(after)
    assert sorted(re.findall("#.*", after)) == sorted(re.findall("#.*", before))
    old, new = parse_document(before) or {}, parse_document(after) or {}
    known = {*SETTINGS_WRITTEN, *(section.value for section in Section), *(each.name for each in OAUTH_MAPS)}
    for name in old.keys() - known:
        assert new[name] == old[name]
    then, now = list(places(old)), list(places(new))
    for place, note in notes(old):
        above = [place[:length] for length in range(len(place))]
        if all(then.count(each) == now.count(each) == 1 for each in above):
            assert (place, note) in list(notes(new))


async def tried(text: str, write: Write, *, rename: bool) -> str:
    """Make a write, then again with the machine stopping at every single file operation; return what it leads to."""
    disk = await written(text, write, rename=rename)
    after = text_of(disk)
    if not write.whole:
        check_nothing_lost(text, after)
    for call in range(1, len(disk.calls) + 1):
        broken = await written(text, write, rename=rename, break_at=call)
        assert await recovered(broken) in {text, after}, f"stopped at {disk.calls[call - 1]} ({call})"
    return after


@settings(max_examples=25, deadline=None)
@given(st.lists(st.one_of(writes(), st.integers(0, 9)), min_size=1, max_size=4), st.booleans())
def test_config_yaml_survives_any_writes_edits_by_others_and_crashes(steps: list[Write | int], rename: bool) -> None:
    async def run() -> None:
        text = POOL
        for number, step in enumerate(steps):
            if isinstance(step, Write):
                text = await tried(text, step, rename=rename)
            else:
                text += NOTE.format(number)

    asyncio.run(run())
