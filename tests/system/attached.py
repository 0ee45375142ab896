"""A plugin process that waits at a socket, and a gateway that calls it there."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc

from adapter.contract.expectations import own
from extension.plugin.servicer import SERVICE
from extension.plugin.v1.plugin_pb2 import (
    ACCESS_GUARDED,
    ConfigureRequest,
    ConfigureResponse,
    Header,
    HostInfo,
    HttpRequest,
    HttpResponse,
)
from tests.repository.tracked import ROOT
from tests.system.plugged import until
from tests.system.process import clean_environment
from tools.project.demo.folder import DemoFolder

SETTINGS = b"management-key-file: management-key\n"


@dataclass(frozen=True, slots=True)
class AttachedPlugin:
    """The process, and the channel to its socket."""

    process: subprocess.Popen[bytes]
    channel: grpc.Channel

    def configure(self, folder: DemoFolder) -> ConfigureResponse:
        """Send the settings of a demo folder."""
        host = HostInfo(
            name="another gateway",
            version="1",
            capabilities=["raw-json"],
            gateway_url=f"http://127.0.0.1:{folder.gateway_port}",
            config_path=str(folder.config),
        )
        call = self.channel.unary_unary(
            f"/{SERVICE}/Configure",
            request_serializer=ConfigureRequest.SerializeToString,
            response_deserializer=ConfigureResponse.FromString,
        )
        answer: ConfigureResponse = call(ConfigureRequest(host=host, settings_yaml=SETTINGS, first=True), timeout=30)
        return answer

    def ask(self, method: str, name: str, body: object = None) -> tuple[int, Any]:
        """Send one request of a client that the gateway has admitted."""
        call = self.channel.unary_unary(
            f"/{SERVICE}/Handle",
            request_serializer=HttpRequest.SerializeToString,
            response_deserializer=HttpResponse.FromString,
        )
        data = b"" if body is None else json.dumps(body).encode()
        headers = [Header(name="Content-Type", values=["application/json"])]
        request = HttpRequest(method=method, path=own(name), headers=headers, body=data, access=ACCESS_GUARDED)
        answer: HttpResponse = call(request, timeout=30)
        return answer.status, json.loads(answer.body)


def channel_to(socket: Path) -> grpc.Channel:
    """Connect to a socket."""
    return grpc.insecure_channel(f"unix:{socket}", options=[("grpc.default_authority", "localhost")])


@contextmanager
def attached(socket: Path) -> Iterator[AttachedPlugin]:
    """Serve at a socket until the context ends, and expect an orderly end."""
    process = subprocess.Popen(
        [sys.executable, "-m", "extension", "plugin", "serve", "--socket", str(socket)],
        cwd=ROOT,
        env=clean_environment(),
        stdin=subprocess.DEVNULL,
    )
    try:
        until(socket.exists, "it does not listen")
        with channel_to(socket) as channel:
            yield AttachedPlugin(process, channel)
        process.terminate()
        assert process.wait(timeout=30) == 0
        assert not socket.exists()
    finally:
        process.kill()
        process.wait()
