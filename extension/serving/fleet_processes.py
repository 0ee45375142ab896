"""Starts of the processes of a fleet: a console, and a worker."""

import asyncio
from collections.abc import Mapping
from pathlib import Path

from starlette.types import ASGIApp

from adapter.clock import SystemClock
from adapter.privacy.secret import Secret
from extension.serving.composition import assemble, compose
from extension.serving.fleet.console_key import NoGateway
from extension.serving.fleet.engines import fleet_work
from extension.serving.settings.service_settings import FLEET_FOLDER, state_folder
from extension.serving.store_faults import StoreFaults, every_fault, no_fault
from extension.serving.worker import serve_as_worker


def fleet_folder(environment: Mapping[str, str]) -> Path:
    """Answer the data folder of a fleet's process where none is set."""
    return state_folder(environment) / FLEET_FOLDER


def fleet_application(
    key: Secret, environment: Mapping[str, str], authority: str, *, ends_at: StoreFaults = no_fault
) -> ASGIApp:
    """Compose a console of a fleet, whose clients show `key`; it will be reached at `authority` (host:port).

    Raises as `compose`.
    """
    return compose(
        NoGateway(key, SystemClock()),
        environment,
        authority=lambda: authority,
        secrets=[key],
        ends_at=ends_at,
        is_fleet=True,
    )


def serve_fleet_worker(environment: Mapping[str, str]) -> None:
    """Work on the gateways of a fleet until a signal; raises as `serve_as_worker`."""
    assembly, _ = assemble(NoGateway(Secret(""), SystemClock()), environment, ends_at=every_fault)
    try:
        asyncio.run(serve_as_worker(assembly, fleet_work))
    finally:
        assembly.folder.close()
