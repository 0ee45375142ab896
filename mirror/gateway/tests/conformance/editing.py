"""The ways editors and deployments change a file, and a runtime that looks at its files when a test says so."""

import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from gateway.internal.runtime import Runtime
from gateway.internal.watching import Watcher

OLD = "request-retry: 1\n"
VIA_FOLDER = Path("..data") / "config.yaml"
Editing = Callable[[Path, str], None]


def in_place(path: Path, text: str) -> None:
    """Truncate and write, as the stock gateway and many editors do."""
    path.write_text(text)


def rename_over(path: Path, text: str) -> None:
    """Write beside it and rename, as careful editors do."""
    fresh = path.with_name(".fresh")
    fresh.write_text(text)
    fresh.replace(path)


def delete_and_create(path: Path, text: str) -> None:
    path.unlink()
    path.write_text(text)


def move_away_and_create(path: Path, text: str) -> None:
    """Keep the old one as a backup, as vi does with ``backupcopy=no``."""
    path.rename(path.with_name("config.yaml~"))
    path.write_text(text)


def swap_link(path: Path, text: str) -> None:
    """Let a link point elsewhere, as a mounted ConfigMap does."""
    target = path.with_name(f"data-{len(list(path.parent.iterdir()))}")
    target.write_text(text)
    link = path.with_name(".link")
    link.symlink_to(target)
    link.replace(path)


def swap_folder(path: Path, text: str) -> None:
    """Let a folder on the way be another one: the name of the file stays a link through it."""
    folder = path.with_name(f"version-{len(list(path.parent.iterdir()))}")
    folder.mkdir()
    (folder / "config.yaml").write_text(text)
    current = path.with_name("..data.new")
    current.symlink_to(folder)
    current.replace(path.with_name("..data"))
    if not path.is_symlink() or path.readlink() != VIA_FOLDER:
        path.unlink()
        path.symlink_to(VIA_FOLDER)


def same_size_and_time(path: Path, text: str) -> None:
    """Write as many bytes as were there and set the old time of change, as some tools that copy do."""
    before = path.stat()
    padded = text.rstrip("\n").ljust(before.st_size - 1) + "\n"
    path.write_text(padded)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


WAYS: dict[str, Editing] = {
    way.__name__: way
    for way in (
        in_place,
        rename_over,
        delete_and_create,
        move_away_and_create,
        swap_link,
        swap_folder,
        same_size_and_time,
    )
}


class Watched:
    """A runtime whose watcher looks when the test says so."""

    def __init__(self, runtime: Runtime) -> None:
        self.runtime = runtime
        self.path = runtime.config_path
        self.reloads = 0
        self._watcher = Watcher(runtime._look, self._reload)

    async def _reload(self) -> None:
        self.reloads += 1
        await self.runtime.reload()

    async def settle(self) -> None:
        await self._watcher.settle()

    async def look(self, times: int = 2) -> None:
        for _ in range(times):
            await self._watcher.check()


@asynccontextmanager
async def watched(folder: Path, rest: str = OLD) -> AsyncIterator[Watched]:
    (folder / "config.yaml").write_text(f'auth-dir: "{folder}/auths"\nmanagement-profile: stock\n{rest}')
    runtime = Runtime(folder / "config.yaml", environment={}, watch=False)
    await runtime.start()
    made = Watched(runtime)
    await made.settle()
    try:
        yield made
    finally:
        await runtime.stop()


def edited(watching: Watched, retry: int) -> str:
    return f'auth-dir: "{watching.runtime.auth_dir}"\nmanagement-profile: stock\nrequest-retry: {retry}\n'
