import asyncio
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import pytest

from gateway.internal.configuration.errors import ConfigurationError
from gateway.internal.configuration.files import SystemFiles
from gateway.internal.configuration.writing import Writer
from gateway.internal.runtime import Runtime
from tests.operations.gateways import Bench, running


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncIterator[Bench]:
    async with running(tmp_path) as bench:
        yield bench


def runtime_for(path: Path, *, watch: bool = False) -> Runtime:
    return Runtime(path, environment={}, hashing_cost=4, watch=watch)


async def test_a_missing_file_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError) as caught:
        await runtime_for(tmp_path / "config.yaml").start()
    assert str(caught.value) == (
        f"{tmp_path}/config.yaml: it cannot be read or written (no such file or directory); check its name and "
        "permissions, or name another file with --config"
    )


@pytest.mark.parametrize("text", ["port: [", "port: x", "remote-management: {secret-key: " + "x" * 73 + "}"])
async def test_an_unusable_file_stops_the_start_with_the_file_named(tmp_path: Path, text: str) -> None:
    (tmp_path / "config.yaml").write_text(text)
    with pytest.raises(ConfigurationError, match=r"config\.yaml") as caught:
        await runtime_for(tmp_path / "config.yaml").start()
    assert "\n" not in str(caught.value)
    assert "xxx" not in str(caught.value)


@pytest.mark.parametrize("text", ["", "# a comment\n", "---\n", "{}\n", "\ufeff"])
async def test_a_file_that_says_nothing_opens_no_gateway_to_everybody(tmp_path: Path, text: str) -> None:
    (tmp_path / "config.yaml").write_text(text)
    with pytest.raises(ConfigurationError, match=r"config\.yaml: the file is empty: write at least host and port"):
        await runtime_for(tmp_path / "config.yaml").start()


async def test_an_auth_dir_that_cannot_be_made_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "config.yaml").write_text(f"auth-dir: {tmp_path}/file/auths\n")
    with pytest.raises(ConfigurationError, match=r"auth-dir .*/file/auths cannot be made or read .*; set auth-dir"):
        await runtime_for(tmp_path / "config.yaml").start()


async def test_auth_dir_is_made_private(tmp_path: Path) -> None:
    (tmp_path / "config.yaml").write_text(f"auth-dir: {tmp_path}/deep/auths\n")
    runtime = runtime_for(tmp_path / "config.yaml")
    await runtime.start()
    await runtime.stop()
    assert (tmp_path / "deep" / "auths").stat().st_mode & 0o777 == 0o700


async def test_credential_files_are_followed_while_the_configuration_is_broken(bench: Bench) -> None:
    bench.config.write_text("port: [")
    bench.add_file("a.json")
    await bench.runtime.reload()
    assert bench.runtime.snapshot.by_id("a.json") is not None


async def test_a_write_that_broke_off_is_repaired_at_the_next_start(tmp_path: Path) -> None:
    class Torn(SystemFiles):
        def replace(self, source: Path, target: Path) -> None:
            raise OSError(16, f"busy: {source} {target}")

        def overwrite(self, path: Path, content: bytes) -> None:
            super().overwrite(path, content[:9])
            raise KeyboardInterrupt

    config = tmp_path / "config.yaml"
    config.write_text("debug: false\n")
    with pytest.raises(KeyboardInterrupt):
        Writer(Torn()).write(config, f"debug: true\nauth-dir: {tmp_path}/auths\n".encode())
    assert config.read_text() == "debug: tr"
    runtime = runtime_for(config)
    await runtime.start()
    await runtime.stop()
    assert runtime.configuration.debug
    assert names_in(tmp_path) == ["auths", "config.yaml"]


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


async def test_exclusive_work_waits_for_its_turn(bench: Bench) -> None:
    order: list[str] = []

    async def work(name: str) -> None:
        order.append(f"{name} begins")
        await asyncio.sleep(0)
        order.append(f"{name} ends")

    await asyncio.gather(*(bench.runtime.exclusively(partial(work, name)) for name in "ab"))
    assert order == ["a begins", "a ends", "b begins", "b ends"]
