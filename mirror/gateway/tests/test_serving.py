import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from starlette.types import Message, Receive, Scope, Send

from gateway.__main__ import main
from gateway.internal.management.application import build_application
from gateway.internal.runtime import Runtime
from gateway.internal.serving import listen, serve
from tests.management.serving import secured


def runtime_in(folder: Path, text: str) -> Runtime:
    (folder / "config.yaml").write_text(text)
    return Runtime(folder / "config.yaml", environment={}, local_password=None, watch=False)


class Outer:
    """An application around the gateway's, with the one lifespan of both."""

    def __init__(self, inside: Callable[[str], None]) -> None:
        self._inside = inside

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        assert scope["type"] == "lifespan"
        for event in ("startup", "shutdown"):
            message: Message = await receive()
            assert message["type"] == f"lifespan.{event}"
            self._inside(event)
            await send({"type": f"lifespan.{event}.complete"})


def test_around_a_whole_lifespan_the_runtime_is_live(tmp_path: Path) -> None:
    runtime = runtime_in(tmp_path, secured(tmp_path, 'claude-api-key:\n  - api-key: "k-1"\n'))
    seen: list[tuple[str, int]] = []

    def inside(event: str) -> None:
        seen.append((event, len(runtime.snapshot.credentials)))
        if event == "startup":
            os.kill(os.getpid(), signal.SIGTERM)

    assert serve(Outer(inside), runtime) == 0
    assert seen == [("startup", 1), ("shutdown", 1)]


def test_an_application_that_does_not_start_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def inside(event: str) -> None:
        raise RuntimeError(event)

    assert serve(Outer(inside), runtime_in(tmp_path, secured(tmp_path))) == 1
    assert capsys.readouterr().err.endswith("gateway: the application did not start; the reason is above\n")


def test_the_gateways_own_lifespan_is_there_for_servers_that_insist(tmp_path: Path) -> None:
    runtime = runtime_in(tmp_path, secured(tmp_path))
    inner = build_application(runtime)

    async def ending(scope: Scope, receive: Receive, send: Send) -> None:
        async def then_end(message: Message) -> None:
            await send(message)
            if message["type"] == "lifespan.startup.complete":
                os.kill(os.getpid(), signal.SIGINT)

        await inner(scope, receive, then_end)

    assert serve(ending, runtime) == 0


def only_line(capsys: pytest.CaptureFixture[str]) -> str:
    (line,) = capsys.readouterr().err.splitlines()
    return line


def test_a_port_in_use_is_one_line_and_status_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        (tmp_path / "config.yaml").write_text(secured(tmp_path, f"port: {port}\n"))
        assert main(["--config", str(tmp_path / "config.yaml")]) == 1
    assert only_line(capsys).startswith(f"gateway: port {port} of 127.0.0.1 is already in use")


@pytest.mark.parametrize("text", ["port: [1, 2\n", "- a list\n", "port: many\n"])
def test_an_invalid_configuration_is_one_line_and_status_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    path = tmp_path / "config.yaml"
    path.write_text(text)
    assert main(["-config", str(path)]) == 1
    assert only_line(capsys).startswith(f"gateway: {path}")


def test_a_missing_configuration_is_one_line_and_status_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--config", str(tmp_path / "nowhere.yaml")]) == 1
    assert "no such file or directory" in only_line(capsys)


def test_tls_without_its_files_is_one_line_and_status_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = secured(tmp_path, f'tls:\n  enable: true\n  cert: "{tmp_path}/c.pem"\n  key: "{tmp_path}/k.pem"\n')
    (tmp_path / "config.yaml").write_text(text)
    assert main(["--config", str(tmp_path / "config.yaml")]) == 1
    assert only_line(capsys).startswith("gateway: `tls` is enabled")


def test_the_entry_point_has_each_anchor_once() -> None:
    source = Path(main.__code__.co_filename).read_text()
    assert source.count("    application = build_application(runtime)\n") == 1
    assert source.count("    return serve(application, runtime)\n") == 1
