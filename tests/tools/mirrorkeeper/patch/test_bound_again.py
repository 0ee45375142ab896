"""Releases that bind a name which a patch changes again below, so that the patch stays in dead code."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.patch.at_work import go_on, work
from tests.tools.mirrorkeeper.repositories import Fork, Upstream, contents
from tests.tools.mirrorkeeper.series.test_series import diff, patched_fork
from tools.mirrorkeeper.cli import main
from tools.mirrorkeeper.patch.forward import look_forward

pytestmark = pytest.mark.slow

FILLER = b"".join(b"filler_%d = %d\n" % (number, number) for number in range(12))
MODULE = (
    b"TIMEOUT_IN_SECONDS = 5\n\n"
    + FILLER
    + b"\n\nclass Server:\n    @property\n    def port(self):\n        port = read()\n        return port\n\n\n"
    + b"def step(request):\n    value = compute(request)\n    return value\n\n\n"
    + FILLER
)
OURS = (
    MODULE.replace(b"= 5\n\n", b"= 7\n\n", 1)
    .replace(b"    value", b"    audited = audit_the_request(request)\n    value")
    .replace(b"        return port", b"        record_the_port(port)\n        return port")
)
SECOND = b"\n\ndef step(request):\n    return render(request)\n"
AGAIN = {
    "a second function at the end": (MODULE + SECOND, "step"),
    "a second function just below": (MODULE.replace(b"    return value\n", b"    return value\n" + SECOND), "step"),
    "a coroutine": (MODULE + SECOND.replace(b"def", b"async def"), "step"),
    "a class": (MODULE + b"\n\nclass step:\n    pass\n", "step"),
    "a lambda": (MODULE + b"\nstep = lambda request: render(request)\n", "step"),
    "an assignment": (MODULE + b"\nstep = other_step\n", "step"),
    "an import": (MODULE + b"\nfrom .steps import (\n    first,\n    step,\n)\n", "step"),
    "a variable": (MODULE + b"\nTIMEOUT_IN_SECONDS: int = 30\n", "TIMEOUT_IN_SECONDS"),
    "a method": (
        MODULE.replace(b"return port\n", b"return port\n\n    @property\n    def port(self):\n        return 1\n"),
        "Server.port",
    ),
    "a class of the method": (MODULE + b"\n\nclass Server:\n    port = 1\n", "Server"),
}
ALIVE = {
    "a setter": MODULE.replace(
        b"return port\n", b"return port\n\n    @port.setter\n    def port(self, new):\n        write(new)\n"
    ),
    "a wrapper": MODULE + b"\nstep = traced(step)\n",
    "a function around it": MODULE + b"\nplain = step\n" + SECOND,
    "one branch of a condition": MODULE + b"\nif fast:\n    def step(request):\n        return render(request)\n",
    "a variable of the function": MODULE.replace(b"    return value\n", b"    audited = None\n    return value\n"),
    "another scope": MODULE + b"\n\nclass Other:\n    TIMEOUT_IN_SECONDS = 1\n    def step(self):\n        pass\n",
    "above": MODULE.replace(b"\n\nclass", SECOND + b"\n\nclass"),
    "an overload": MODULE + b"\n\n@typing.overload\ndef step(request): ...\n",
    "another syntax": MODULE + b"\nstep = = lambda\n",
}


@pytest.fixture
def fork(tmp_path: Path, upstream: Upstream) -> Fork:
    """A project with a patch of a variable, a function and a method."""
    upstream.commit({"m.py": MODULE}, tag="v1.1.6")
    made = patched_fork(tmp_path / "fork", upstream, diff(upstream, {"m.py": OURS}))
    made.sync("v1.1.6")
    made.commit()
    return made


def sync(fork: Fork, release: str = "v1.2.0") -> int:
    return main(["-C", str(fork.root), "mirror", "sync", release, "--refresh"])


@pytest.mark.parametrize("case", AGAIN)
def test_a_name_that_the_release_binds_again_below_needs_a_person(
    fork: Fork, upstream: Upstream, case: str, capsys: pytest.CaptureFixture[str]
) -> None:
    content, name = AGAIN[case]
    upstream.commit({"m.py": content}, tag="v1.2.0")
    before = contents(fork.root / "patches"), contents(fork.mirror)
    text = f"the release binds {name}, which the patch changes, again below"

    (ahead,) = look_forward(fork.project).findings
    assert ahead.message == f"needs a person for v1.2.0: PAT012 mirror/gateway/m.py: {text}"
    assert sync(fork) == 3
    assert (contents(fork.root / "patches"), contents(fork.mirror)) == before
    assert f"mirror/gateway/m.py: PAT012 p0.patch: {text}: " in capsys.readouterr().err


@pytest.mark.parametrize("case", ALIVE)
def test_a_release_in_which_the_patch_is_alive_is_no_finding(fork: Fork, upstream: Upstream, case: str) -> None:
    upstream.commit({"m.py": ALIVE[case]}, tag="v1.2.0")

    assert look_forward(fork.project).findings == ()
    assert sync(fork) == 0


def test_a_name_that_was_bound_again_before_is_not_told_again(fork: Fork, upstream: Upstream) -> None:
    upstream.commit({"m.py": MODULE + SECOND}, tag="v1.2.0")
    assert sync(fork) == 3
    work(fork).refresh()
    go_on(fork)
    fork.commit()
    upstream.commit({"m.py": MODULE + SECOND + b"\n# The end.\n"}, tag="v1.3.0")

    assert sync(fork, "v1.3.0") == 0
