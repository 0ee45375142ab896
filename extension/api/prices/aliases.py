"""`api-key-aliases`: names of client keys, which are known by their fingerprint alone."""

from typing import Annotated

from fastapi import APIRouter, Query

from adapter.privacy.secret import Secret
from extension.api.auth.authenticator import Asking
from extension.api.paths import Paths
from extension.api.payloads.payload import Payload
from extension.api.payloads.prices import AliasAnswer, AliasesAnswer, AliasRequest, AliasView, Fingerprint
from extension.api.services import Served


class AliasQuery(Payload):
    """The client key a command is for."""

    fingerprint: Fingerprint


def routes(paths: Paths) -> APIRouter:
    """Make the routes of this resource."""
    router = APIRouter(tags=["aliases"])
    path = paths.part("api-key-aliases")
    router.add_api_route(path, read_aliases, methods=["GET"], response_model=AliasesAnswer)
    router.add_api_route(path, set_alias, methods=["PUT"], response_model=AliasAnswer)
    router.add_api_route(path, remove_alias, methods=["DELETE"], status_code=204)
    return router


async def read_aliases(services: Served) -> AliasesAnswer:
    """Answer all aliases."""
    return AliasesAnswer(aliases=tuple(AliasView.showing(record) for record in await services.aliases.every()))


async def set_alias(body: AliasRequest, services: Served, asking: Asking) -> AliasAnswer:
    """Name a client key; its former alias is replaced. An alias of another key is 409 `alias_taken`."""
    fingerprint = body.fingerprint
    if body.key is not None:
        fingerprint = services.aliases.fingerprint(Secret(body.key.get_secret_value()))
    return AliasAnswer(
        alias=AliasView.showing(await services.aliases.put(fingerprint or "", body.alias.strip(), asking.actor))
    )


async def remove_alias(query: Annotated[AliasQuery, Query()], services: Served) -> None:
    """Forget the alias of a client key."""
    await services.aliases.remove(query.fingerprint)
