"""Temporary service of one command: in front of a remote gateway, on loopback, without schedules."""

import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from extension.api.paths import Paths
from extension.cli.client.client import Client
from extension.cli.client.gateway_key import folder_of, gateway_key
from extension.cli.client.service_lookup import ServiceLocation
from extension.cli.errors import CommandError
from extension.serving.errors import ServingError
from extension.serving.remote import remote_application
from extension.serving.remote_gateway import RemoteGateway, remote_gateway_address
from extension.serving.server import Server, authority_of, listen
from extension.serving.service_file import read
from extension.serving.settings.service_settings import ServiceSettings
from extension.serving.settings.sources import ENVIRONMENT_PREFIX, as_environment, gather, read_settings_file
from extension.store.errors import DataFolderInUse, StoreError

_ANY_PORT = "127.0.0.1:0"
_LEVEL = f"{ENVIRONMENT_PREFIX}LOG_LEVEL"


@contextmanager
def service_for(address: str, data_dir: Path | None, key_file: Path | None) -> Iterator[ServiceLocation]:
    """Serve for the block, or return the service that already uses this gateway's data folder."""
    try:
        flags = {"gateway": address, "data_dir": data_dir}
        settings = gather(flags=flags, environment=os.environ, file=read_settings_file(os.environ)).settings
        folder = folder_of(os.environ, address, data_dir)
        gateway = RemoteGateway(remote_gateway_address(address), gateway_key(os.environ, key_file, address, folder))
        listener = listen(_ANY_PORT)
        reached = f"http://{authority_of(listener)}"
        try:
            variables = _environment(settings, folder)
            application = remote_application(gateway, variables, authority_of(listener), schedules=False)
        except DataFolderInUse:
            listener.close()
            running = read(folder)
            if running is None:
                raise
            if not running.serves(gateway.address):
                raise CommandError(
                    f"The data folder {folder} is in use by the service at {running.address}, which is not in front of "
                    f"{gateway.address}. Name another folder with --data-dir."
                ) from None
            yield ServiceLocation(Client(running.address, gateway.key), Paths(running.prefix))
            return
        except BaseException:
            listener.close()
            raise
    except (ServingError, StoreError) as error:
        raise CommandError(str(error)) from None
    up = threading.Event()
    server = Server(application, up.set)
    thread = threading.Thread(target=_serve, args=(server, listener, up), name="service")
    thread.start()
    try:
        up.wait()
        if not server.started:
            raise CommandError(server.reason or "The service could not start. Its log says why.")
        yield ServiceLocation(Client(reached, gateway.key), Paths(settings.prefix), lasting=False)
    finally:
        server.should_exit = True
        thread.join()


def _serve(server: Server, listener: socket.socket, up: threading.Event) -> None:
    try:
        server.serve_on(listener)
    except ServingError as error:
        server.reason = str(error)
    finally:
        up.set()


def _environment(settings: ServiceSettings, folder: Path) -> dict[str, str]:
    quiet = {} if _LEVEL in os.environ else {_LEVEL: "warning"}
    return os.environ | as_environment(settings.model_copy(update={"data_dir": folder})) | quiet
