"""A crash leaves no core file: it would hold the keys of the pool."""

import asyncio
import resource
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.extension.cli.command_line import environment_of

_PROGRAM = """
import resource, sys
from extension.__main__ import main
def ended(*_, **__):
    print(resource.getrlimit(resource.RLIMIT_CORE), file=sys.stderr)
    raise SystemExit(0)
{replaced} = ended
sys.argv = ["poolkeeper", *{arguments!r}]
main()
"""


@pytest.mark.parametrize(
    ("arguments", "replaced"),
    [
        (["serve", "--config", "{folder}/config.yaml"], "import extension.cli.serve as it; it._serve_embedded"),
        (["serve", "--gateway", "http://127.0.0.1:9"], "import extension.cli.serve as it; it._serve_remote"),
        (["plugin", "serve"], "import extension.plugin.process as it; it.serve_spawned"),
        (["plugin", "serve", "--socket", "s"], "import extension.plugin.process as it; it.serve_attached"),
    ],
    ids=["embedded", "remote", "plugin", "attached"],
)
async def test_a_service_that_crashes_leaves_no_core_file(tmp_path: Path, arguments: list[str], replaced: str) -> None:
    (tmp_path / "config.yaml").write_text("port: 1\n", encoding="utf-8")
    program = _PROGRAM.format(arguments=[each.format(folder=tmp_path) for each in arguments], replaced=replaced)
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        program,
        stderr=asyncio.subprocess.PIPE,
        env=environment_of({}),
        cwd=tmp_path,
        preexec_fn=_as_much_as_allowed(),
    )
    _, err = await asyncio.wait_for(process.communicate(), 30)
    assert err.decode().strip().splitlines()[-1:] == ["(0, 0)"], err.decode()


def _as_much_as_allowed() -> Callable[[], None]:
    hard = resource.getrlimit(resource.RLIMIT_CORE)[1]
    return lambda: resource.setrlimit(resource.RLIMIT_CORE, (hard, hard))
