"""`poolkeeper/info`: name and version, the gateway behind the service, and the vocabulary of its answers."""

from fastapi import APIRouter, Request

from adapter.contract.expectations import PAGE
from extension.api.paths import Paths
from extension.api.payloads.service import FamilyView, GatewayView, InfoAnswer, VerdictView
from extension.api.services import Served
from extension.inspection.accounts.families import FAMILIES, LABELS, Family
from extension.inspection.evidence.verdict_table import VERDICTS

NAME = "poolkeeper"
PAGE_OF_HOST = "poolkeeper.page"
"""Extension in the ASGI scope of a request that a host of plugins relays: the path of the page there."""


def routes(paths: Paths) -> APIRouter:
    """Make the routes of this resource."""
    router = APIRouter(tags=["info"])
    router.add_api_route(paths.info, read_info, methods=["GET"], response_model=InfoAnswer)
    return router


async def read_info(services: Served, request: Request) -> InfoAnswer:
    """Answer names, versions, and the tables behind the legend of the page."""
    about = await services.authenticator.gateway.describe()
    return InfoAnswer(
        name=NAME,
        version=services.version,
        prefix=services.prefix,
        page=request.scope.get("extensions", {}).get(PAGE_OF_HOST, {}).get("path", PAGE),
        gateway=GatewayView(
            name=about.name,
            version=about.version,
            capabilities=tuple(sorted(capability.value for capability in about.capabilities)),
            seconds_per_call=about.seconds_per_call,
        ),
        families=_families(),
        verdicts=tuple(
            VerdictView(token=verdict.value, label=row.label, meaning=row.meaning) for verdict, row in VERDICTS.items()
        ),
    )


def _families() -> tuple[FamilyView, ...]:
    every = FamilyView(token=Family.ALL.value, label=LABELS[Family.ALL], public_address=False)
    return (
        every,
        *(
            FamilyView(token=family.value, label=row.label, public_address=row.public_address is not None)
            for family, row in FAMILIES.items()
        ),
    )
