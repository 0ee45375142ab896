import asyncio
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from gateway.internal.watching import FileNotices


class Heard:
    def __init__(self, *, fails: bool = False) -> None:
        self.times = 0
        self.again = asyncio.Event()
        self._fails = fails

    async def __call__(self) -> None:
        self.times += 1
        self.again.set()
        if self._fails:
            raise RuntimeError("on purpose")

    async def once_more(self) -> None:
        await asyncio.wait_for(self.again.wait(), 30)
        self.again.clear()


async def listening(path: Path, heard: Heard) -> FileNotices:
    """Return notices that have begun: the first writes may come before the watch is there."""
    notices = FileNotices(path, heard)
    notices.start()
    while not heard.times:
        await asyncio.to_thread(path.write_text, "a: 1\n")
        await asyncio.wait([asyncio.ensure_future(heard.again.wait())], timeout=0.05)
    heard.again.clear()
    return notices


@pytest.mark.parametrize("way", ["written", "replaced"])
async def test_a_file_that_is_written_or_replaced_is_noticed(tmp_path: Path, way: str) -> None:
    path = tmp_path / "config.yaml"
    path.write_text("a: 1\n")
    heard = Heard()
    notices = await listening(path, heard)
    if way == "written":
        path.write_text("a: 2\n")
    else:
        (tmp_path / "new").write_text("a: 2\n")
        (tmp_path / "new").rename(path)
    await heard.once_more()
    await notices.stop()


async def test_the_file_behind_a_link_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    real, link = tmp_path / "inner" / "real.yaml", tmp_path / "config.yaml"
    real.write_text("a: 1\n")
    link.symlink_to(real)
    heard = Heard()
    notices = await listening(link, heard)
    real.write_text("a: 2\n")
    await heard.once_more()
    await notices.stop()


async def test_where_nothing_can_be_watched_the_log_says_so_and_nothing_else_happens(tmp_path: Path) -> None:
    notices = FileNotices(tmp_path / "gone" / "config.yaml", Heard())
    with capture_logs() as logs:
        notices.start()
        assert notices._task is not None
        await asyncio.wait([notices._task])
    assert [entry["event"] for entry in logs] == ["no notices of changes: config.yaml is looked at instead"]
    await notices.stop()
