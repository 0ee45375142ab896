"""A small plugin, run as a program: ``python sample.py [garbage|exit|old|silent]``."""

import asyncio
import json
import os
import sys
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import grpc.aio
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_health.v1.health import aio as health

from gateway.plugin.v1.go_plugin_pb2 import ConnInfo, Empty
from gateway.plugin.v1.plugin_pb2 import (
    ACCESS_GUARDED,
    ACCESS_OPEN,
    ConfigureRequest,
    ConfigureResponse,
    Header,
    HttpRequest,
    HttpResponse,
    HttpResponsePart,
    LogRecord,
    QuiesceRequest,
    QuiesceResponse,
    Route,
)

BELOW = "/v0/management/sample"
_LIMIT = [("grpc.max_receive_message_length", 1 << 24), ("grpc.max_send_message_length", 1 << 24)]


def unary(behavior: Any, request: Any) -> Any:
    return grpc.unary_unary_rpc_method_handler(
        behavior,
        request_deserializer=request.FromString,
        response_serializer=lambda message: message.SerializeToString(),
    )


class Sample:
    def __init__(self) -> None:
        self.stop = asyncio.Event()
        self.host: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self.configured: list[dict[str, Any]] = []
        self.left = 0

    async def configure(self, request: ConfigureRequest, _: object) -> ConfigureResponse:
        self.configured.append({"first": request.first, "settings": request.settings_yaml.decode()})
        guarded = ("info", "echo", "hang", "crash", "large", "manage", "stream")
        routes = [Route(method="GET", path=f"{BELOW}/{name}", access=ACCESS_GUARDED) for name in guarded]
        routes[-1].streams = True
        routes += [
            Route(method="POST", path=f"{BELOW}/echo", access=ACCESS_GUARDED),
            Route(method="GET", path="/monitor/sample", access=ACCESS_OPEN, menu="Sample"),
            Route(method="GET", path="/monitor/guarded", access=ACCESS_GUARDED),
            Route(method="GET", path=f"{BELOW}/open", access=ACCESS_OPEN),
            Route(method="GET", path="/healthz", access=ACCESS_OPEN),
        ]
        return ConfigureResponse(name="sample", version="1.0", routes=routes)

    async def handle(self, request: HttpRequest, _: object) -> HttpResponse:
        name = request.path.rpartition("/")[2]
        if name == "hang":
            try:
                await asyncio.sleep(60)
            finally:
                self.left += 1
        if name == "crash":
            os._exit(7)
        if name == "large":
            return HttpResponse(status=200, body=b"x" * 4_300_000)
        if name == "manage":
            return await self.manage()
        report = {
            "method": request.method,
            "query": request.query,
            "headers": {header.name: list(header.values) for header in request.headers},
            "body": len(request.body),
            "access": request.access,
            "remote": request.remote_address,
            "configured": self.configured,
            "environment": dict(os.environ),
            "process": os.getpid(),
            "left": self.left,
        }
        headers = [Header(name="X-Twice", values=["a", "b"]), Header(name="Content-Type", values=["application/json"])]
        return HttpResponse(status=200, headers=headers, body=json.dumps(report).encode())

    async def manage(self) -> HttpResponse:
        async with grpc.aio.insecure_channel(
            await self.host, options=[("grpc.default_authority", "localhost")]
        ) as host:
            log = host.unary_unary(
                "/gateway.plugin.v1.Host/Log",
                request_serializer=LogRecord.SerializeToString,
                response_deserializer=Empty.FromString,
            )
            await log(LogRecord(level=LogRecord.LEVEL_INFO, message="hello"))
            manage = host.unary_unary(
                "/gateway.plugin.v1.Host/Manage",
                request_serializer=HttpRequest.SerializeToString,
                response_deserializer=HttpResponse.FromString,
            )
            answer: HttpResponse = await manage(HttpRequest(method="GET", path="/v0/management/debug"))
            return answer

    async def stream(self, _request: HttpRequest, _: object) -> AsyncIterator[HttpResponsePart]:
        head = HttpResponse(status=200, headers=[Header(name="Content-Type", values=["text/event-stream"])])
        yield HttpResponsePart(head=head)
        try:
            for number in range(1_000):
                yield HttpResponsePart(data=f"data: {number}\n\n".encode())
                await asyncio.sleep(0.05)
        finally:
            self.left += 1

    async def quiesce(self, _request: QuiesceRequest, _: object) -> QuiesceResponse:
        return QuiesceResponse()

    async def broker(self, announced: AsyncIterator[ConnInfo], _: object) -> AsyncIterator[ConnInfo]:
        async for service in announced:
            self.host.set_result(f"{service.network}:{service.address}")
        self.stop.set()
        return
        yield ConnInfo()

    async def shut_down(self, _request: Empty, _: object) -> Empty:
        self.stop.set()
        return Empty()


async def main() -> None:
    sample = Sample()
    server = grpc.aio.server(options=_LIMIT)
    checks = health.HealthServicer()
    await checks.set("plugin", health_pb2.HealthCheckResponse.SERVING)
    health_pb2_grpc.add_HealthServicer_to_server(checks, server)
    methods = {
        "Configure": unary(sample.configure, ConfigureRequest),
        "Handle": unary(sample.handle, HttpRequest),
        "Quiesce": unary(sample.quiesce, QuiesceRequest),
        "HandleStream": grpc.unary_stream_rpc_method_handler(
            sample.stream,
            request_deserializer=HttpRequest.FromString,
            response_serializer=HttpResponsePart.SerializeToString,
        ),
    }
    broker = grpc.stream_stream_rpc_method_handler(
        sample.broker, request_deserializer=ConnInfo.FromString, response_serializer=ConnInfo.SerializeToString
    )
    server.add_generic_rpc_handlers(
        (
            grpc.method_handlers_generic_handler("gateway.plugin.v1.Plugin", methods),
            grpc.method_handlers_generic_handler("plugin.GRPCBroker", {"StartStream": broker}),
            grpc.method_handlers_generic_handler("plugin.GRPCController", {"Shutdown": unary(sample.shut_down, Empty)}),
        )
    )
    socket = Path(tempfile.mkdtemp(dir=os.environ["PLUGIN_UNIX_SOCKET_DIR"])) / "s"
    server.add_insecure_port(f"unix:{socket}")
    await server.start()
    sys.stdout.write(f"1|{sys.argv[2] if sys.argv[1:2] == ['old'] else 1}|unix|{socket}|grpc\n")
    sys.stdout.flush()
    await sample.stop.wait()
    await server.stop(0.1)


if __name__ == "__main__":
    match sys.argv[1:2]:
        case ["garbage"]:
            sys.stdout.write("hello\n")
            sys.stdout.flush()
            asyncio.run(asyncio.sleep(60))
        case ["exit"]:
            sys.exit(3)
        case ["silent"]:
            asyncio.run(asyncio.sleep(60))
        case _:
            asyncio.run(main())
