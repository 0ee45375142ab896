import os
import subprocess
import sys
from pathlib import Path

import pytest

from gateway.internal.serving import serve
from gateway.internal.sole import InUseError, sole
from tests.management.serving import secured
from tests.test_serving import Outer, runtime_in

HOLDER = "import sys; from pathlib import Path; from gateway.internal.sole import sole\n"
HOLDER += "with sole(Path(sys.argv[1])): print('held', flush=True); sys.stdin.read()\n"


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "config.yaml"
    path.write_text("port: 1\n")
    return path


def holder(config: Path) -> "subprocess.Popen[bytes]":
    """Start another process that holds the lock until it is killed."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    process = subprocess.Popen(  # noqa: S603 - it is our own interpreter
        [sys.executable, "-c", HOLDER, str(config)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"held\n"
    return process


def end(process: "subprocess.Popen[bytes]") -> None:
    process.kill()
    process.communicate()


def test_a_second_gateway_ends_with_status_2_and_one_line_and_touches_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    runtime = runtime_in(tmp_path, secured(tmp_path))
    before = runtime.config_path.read_bytes()
    process = holder(runtime.config_path)
    try:
        assert serve(Outer(lambda _: None), runtime) == 2
    finally:
        end(process)
    said = capsys.readouterr().err.splitlines()[-1]
    in_use = f"{runtime.config_path} is in use by another gateway"
    assert said == f"gateway: {in_use}: stop that one, or name another file with --config"
    assert runtime.config_path.read_bytes() == before


def test_a_process_that_was_killed_holds_nothing_any_more(config: Path) -> None:
    end(holder(config))
    with sole(config):
        assert config.with_name(".config.yaml.lock").stat().st_size == 0


def test_a_link_to_the_file_is_the_same_file_and_a_replaced_file_stays_locked(config: Path) -> None:
    link = config.with_name("link.yaml")
    link.symlink_to(config)
    with sole(config):
        new = config.with_name("new")
        new.write_text("port: 2\n")
        new.replace(config)
        with pytest.raises(InUseError), sole(link):
            pass
    with sole(link), sole(config.with_name("absent.yaml")):
        pass


def test_where_no_lock_file_can_be_made_nothing_is_locked_and_nothing_is_said_wrong(config: Path) -> None:
    config.with_name(".config.yaml.lock").mkdir()
    with sole(config), sole(config):
        assert config.read_text() == "port: 1\n"
