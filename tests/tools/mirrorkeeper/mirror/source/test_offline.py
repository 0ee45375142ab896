"""`mirror sync --offline`: an upstream on this machine is enough, and nothing else is asked."""

from __future__ import annotations

import pytest

from tests.tools.mirrorkeeper.mirror.remote import served
from tests.tools.mirrorkeeper.repositories import Fork, Upstream
from tools.mirrorkeeper.cli import main

pytestmark = pytest.mark.slow


def test_an_upstream_on_this_machine_is_enough(fork: Fork, upstream: Upstream) -> None:
    upstream.commit({"a": b"a"}, tag="v1.1.0")

    assert main(["-C", str(fork.root), "mirror", "sync", "v1.1.0", "--offline"]) == 0
    assert fork.codes(prove=True) == []
    assert (fork.mirror / "a").read_bytes() == b"a"


def test_a_place_on_the_network_is_not_asked_though_it_would_answer(
    fork: Fork, upstream: Upstream, capsys: pytest.CaptureFixture[str]
) -> None:
    upstream.commit({"a": b"a"}, tag="v1.1.0")
    with served(upstream) as address:
        arguments = ["-C", str(fork.root), "mirror", "sync", "v1.1.0", "--source", address]
        assert main([*arguments, "--offline"]) == 2
        assert "is not on this machine" in capsys.readouterr().err
        assert not (fork.mirror / "a").exists()
        assert main(arguments) == 0


def test_a_clone_named_instead_of_an_upstream_on_the_network_is_enough(fork: Fork, upstream: Upstream) -> None:
    upstream.commit({"a": b"a"}, tag="v1.1.0")
    path = fork.project.declaration_path
    path.write_text(path.read_text("utf-8").replace("../upstream", "https://upstream.invalid/x.git"), encoding="utf-8")

    arguments = ["mirror", "sync", "v1.1.0", "--offline", "--source", str(upstream.folder)]
    assert main(["-C", str(fork.root), *arguments]) == 0
    assert (fork.mirror / "a").read_bytes() == b"a"
