"""A plugin process for tests: the protocol, and a few answers named in the query.

Usage: python child.py serve|exit|garbage|other-protocol|other-version|slow FOLDER [SOCKET]
"""

import gzip
import json
import os
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc

from extension.plugin.v1 import go_plugin_pb2 as wire
from extension.plugin.v1 import plugin_pb2 as pb
from extension.serving.release import service_version

TRICKY = b'{"b": "<>&\\"\'", "a": [1.50, "</script>", "\\u003cb\\u003e", "\xe5\x90\x8d"]}'
LIMITS = [("grpc.max_send_message_length", -1), ("grpc.max_receive_message_length", -1)]
FOREVER = threading.Event()


class Child:
    """Answers of the process, and its notes of the calls."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        # Once: looking it up reads files, a tenth of what a relayed call costs.
        self._version = "9.9.9" if sys.argv[1] == "other-version" else service_version()

    def note(self, name: str, **values: object) -> None:
        with (self._folder / f"{name}.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps({"pid": os.getpid(), **values}) + "\n")

    def configure(self, request: pb.ConfigureRequest, _context: object) -> pb.ConfigureResponse:
        host = {"schema": request.host.schema, "capabilities": list(request.host.capabilities)}
        self.note("configured", first=request.first, settings=request.settings_yaml.decode(), **host)
        return pb.ConfigureResponse(name="poolkeeper", version=self._version)

    def start_stream(self, stream: Iterator[wire.ConnInfo], _context: object) -> Iterator[wire.ConnInfo]:
        try:
            for _ in stream:
                pass
        finally:  # a killed gateway ends the stream with an error
            self.note("broken")
            if len(sys.argv) == 3:
                os._exit(0)
        yield from ()

    def handle(self, request: pb.HttpRequest, context: Any) -> pb.HttpResponse:
        task = parse_qs(request.query).get("do", [""])[0]
        answer = getattr(self, f"do_{task or 'echo'}")
        status, body, headers = answer(request, context)
        listed = [pb.Header(name=name, values=[value]) for name, value in headers.items()]
        return pb.HttpResponse(status=status, body=body, headers=listed)

    def do_echo(self, request: pb.HttpRequest, _context: object) -> tuple[int, bytes, dict[str, str]]:
        body = {
            **({"name": "poolkeeper", "version": self._version} if request.path.endswith("/info") else {}),
            "method": request.method,
            "path": request.path,
            "access": request.access,
            "headers": sorted(header.name for header in request.headers),
            "length": len(request.body),
            "pid": os.getpid(),
        }
        return 200, json.dumps(body).encode(), {"content-type": "application/json"}

    def do_environment(self, _request: object, _context: object) -> tuple[int, bytes, dict[str, str]]:
        return 200, json.dumps(sorted(os.environ)).encode(), {}

    def do_hang(self, _request: object, context: Any) -> tuple[int, bytes, dict[str, str]]:
        ended = threading.Event()
        context.add_callback(ended.set)
        self.note("hangs", seconds=context.time_remaining())
        ended.wait(60)
        return 200, b"late", {}

    def do_large(self, _request: object, _context: object) -> tuple[int, bytes, dict[str, str]]:
        return 200, b"x" * 4_300_000, {}

    def do_tricky(self, _request: object, _context: object) -> tuple[int, bytes, dict[str, str]]:
        return 200, gzip.compress(TRICKY), {"content-type": "application/json", "content-encoding": "gzip"}

    def do_plain(self, _request: object, _context: object) -> tuple[int, bytes, dict[str, str]]:
        return 200, TRICKY, {"content-type": "application/json"}


def services(child: Child) -> list[grpc.GenericRpcHandler]:
    """Return the services of a plugin process."""

    def unary(work: Any, request: Any) -> Any:
        return grpc.unary_unary_rpc_method_handler(work, request.FromString, lambda answer: answer.SerializeToString())

    broker = grpc.stream_stream_rpc_method_handler(
        child.start_stream, wire.ConnInfo.FromString, wire.ConnInfo.SerializeToString
    )

    def shut_down(_request: object, _context: object) -> wire.Empty:
        FOREVER.set()
        return wire.Empty()

    return [
        grpc.method_handlers_generic_handler(
            "gateway.plugin.v1.Plugin",
            {
                "Configure": unary(child.configure, pb.ConfigureRequest),
                "Handle": unary(child.handle, pb.HttpRequest),
                "Quiesce": unary(lambda _request, _context: pb.QuiesceResponse(), pb.QuiesceRequest),
            },
        ),
        grpc.method_handlers_generic_handler("plugin.GRPCBroker", {"StartStream": broker}),
        grpc.method_handlers_generic_handler("plugin.GRPCController", {"Shutdown": unary(shut_down, wire.Empty)}),
    ]


def main() -> None:
    mode, folder = sys.argv[1], Path(sys.argv[2])
    child = Child(folder)
    child.note("started")
    if mode == "exit":
        raise SystemExit(3)
    if mode == "garbage":
        print("Welcome! sk-not-a-real-secret", flush=True)  # noqa: T201 - it is the fault
        FOREVER.wait(60)
    if mode == "slow":
        FOREVER.wait(10)
    attached = len(sys.argv) > 3
    socket = sys.argv[3] if attached else f"{os.environ['PLUGIN_UNIX_SOCKET_DIR']}/child.sock"
    server = grpc.server(ThreadPoolExecutor(32), options=LIMITS)
    checks = health.HealthServicer()
    checks.set("plugin", health_pb2.HealthCheckResponse.SERVING)
    health_pb2_grpc.add_HealthServicer_to_server(checks, server)
    server.add_generic_rpc_handlers(tuple(services(child)))
    Path(socket).unlink(missing_ok=True)
    server.add_insecure_port(f"unix:{socket}")
    server.start()
    version = 2 if mode == "other-protocol" else 1
    print(f"1|{version}|unix|{socket}|grpc", flush=True)  # noqa: T201 - the handshake
    FOREVER.wait()
    server.stop(0)


if __name__ == "__main__":
    main()
