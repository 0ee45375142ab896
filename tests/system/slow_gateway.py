"""A gateway that takes its time for each change of an auth file: a proxy in front of a real one."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Final

SECONDS: Final = 0.5
_HOP_BY_HOP: Final = {"connection", "transfer-encoding", "content-length"}


class SlowGateway(ThreadingHTTPServer):
    """Counts the changes of auth files, and passes each on after half a second."""

    daemon_threads = True

    def __init__(self, port: int) -> None:
        super().__init__(("127.0.0.1", 0), _Passing)
        self.behind = port
        self.changes = 0
        self.idle = threading.Event()


class _Passing(BaseHTTPRequestHandler):
    server: SlowGateway
    protocol_version = "HTTP/1.1"

    def _pass(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.command == "PATCH":
            self.server.changes += 1
            self.server.idle.wait(SECONDS)
        with closing(HTTPConnection("127.0.0.1", self.server.behind)) as gateway:
            gateway.request(self.command, self.path, body, dict(self.headers))
            answer = gateway.getresponse()
            content = answer.read()
        self.send_response(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in _HOP_BY_HOP:
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _pass  # noqa: N815 - the names are the server's

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is the server's
        """Say nothing."""


@contextmanager
def slow_gateway(port: int) -> Iterator[SlowGateway]:
    """Put a slow gateway in front of the one at a port of this machine."""
    server = SlowGateway(port)
    thread = threading.Thread(target=server.serve_forever, name="slow gateway")
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
