"""An upstream on the network: git's own server, on this machine's loopback address."""

from __future__ import annotations

import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.tools.mirrorkeeper.repositories import Upstream
from tools.mirrorkeeper.git.command import Git


@contextmanager
def served(upstream: Upstream) -> Iterator[str]:
    """Serve the upstream as its server would, commits without files included; yields the address."""
    upstream.git.run("config", "uploadpack.allowFilter", "true")
    program = Path(Git(upstream.folder).run("--exec-path").text) / "git-daemon"
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    listen = ("--listen=127.0.0.1", f"--port={port}", "--reuseaddr", "--log-destination=stderr", "--verbose")
    command = [str(program), *listen, "--export-all", f"--base-path={upstream.folder.parent}"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        assert any("Ready to rumble" in line for line in server.stderr)
        try:
            yield f"git://127.0.0.1:{port}/{upstream.folder.name}"
        finally:
            server.terminate()
