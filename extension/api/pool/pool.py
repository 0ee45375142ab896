"""`poolkeeper/pool`: the pool as it is now, and changes to it."""

from typing import Annotated, Final

from fastapi import APIRouter, Header, Query, Response

from extension.api.auth.authenticator import Asking
from extension.api.json_answer import (
    REVALIDATED,
    accepts_gzip,
    answer_of,
    encoded_json,
    entity_tag,
    matches,
)
from extension.api.paths import Paths
from extension.api.payloads.actions.action import CommandAnswer
from extension.api.payloads.actions.change_plan import PlanRequest, PlanView
from extension.api.payloads.pool.pool import DeleteRequest, FlagsRequest, PoolAnswer, StatusRequest
from extension.api.payloads.pool.pool_table import SlimPoolAnswer, encoded
from extension.api.pool.query import PoolQuery, View
from extension.api.services import Served
from extension.engine.actions.ownership import DELETE, DISABLE, ENABLE
from extension.engine.pool.overview import PoolTable
from extension.engine.pool.table import filtered, sorted_by
from extension.inspection.accounts.account import Selection, Source
from extension.inspection.accounts.families import Family
from extension.inspection.settings import SettingsError
from extension.reasons.codes import ReasonCode

_READ_AT_STEP_MS: Final = 10_000
"""An encoded answer is sent again for as long, where nothing in it but the time of its reading would change."""


def routes(paths: Paths) -> APIRouter:
    """Make the routes of this resource."""
    router = APIRouter(tags=["pool"])
    router.add_api_route(
        paths.pool,
        read_pool,
        methods=["GET"],
        response_model=PoolAnswer | SlimPoolAnswer,
        responses={304: {"description": "Unchanged since `If-None-Match`."}},
    )
    router.add_api_route(paths.pool_status, set_status, methods=["POST"], response_model=CommandAnswer)
    router.add_api_route(paths.part("pool/plan"), read_plan, methods=["POST"], response_model=PlanView)
    router.add_api_route(paths.pool_delete, delete_files, methods=["POST"], response_model=CommandAnswer)
    router.add_api_route(paths.part("pool/flags"), set_flags, methods=["POST"], status_code=204)
    return router


async def read_pool(
    query: Annotated[PoolQuery, Query()],
    services: Served,
    accept_encoding: Annotated[str, Header()] = "",
    if_none_match: Annotated[str, Header()] = "",
) -> Response:
    """Read the pool from the gateway now and answer the accounts in scope with their last results.

    While a run is under way the reading is six seconds old at most, and the results are two. Later pages of an answer
    name its `revision`, and come from its reading.

    With `view=slim` the results come without evidence, and the accounts can be chosen, sorted and paged. The answer is
    compressed where `Accept-Encoding` allows it; `view=slim` has an `ETag`, and 304 answers `If-None-Match`.

    Raises:
        SettingsError: under the API-key source the family is none we know.
    """
    if query.source is Source.API_KEY and query.family not in tuple(Family):
        raise SettingsError.because(
            "family", ReasonCode.FIELD_NO_CHOICE_OF_SOURCE, source=Source.API_KEY.value, names=", ".join(Family)
        )
    zipped = accepts_gzip(accept_encoding)
    if query.view is View.FULL:
        query.refuse_slim_fields()
    scope, overview = Selection(query.source, query.family, query.filter), services.inspector.overview
    table = await overview.read(scope, revision=query.revision, age=query.age)
    tag = entity_tag(
        services.started, table.version, repr(table.skipped), query.model_dump_json(), "gzip" if zipped else ""
    )

    async def encode() -> tuple[bytes, str]:
        if query.view is View.SLIM:
            return await encoded_json(lambda: _page(table, query), zipped=zipped)
        view = await overview.with_evidence(table, scope)
        return await encoded_json(lambda: PoolAnswer.encoded(view), zipped=zipped)

    if query.view is View.SLIM and matches(if_none_match, tag):
        return Response(status_code=304, headers={"ETag": tag, **REVALIDATED})
    # The answer says when it was read, which is no part of the tag.
    answer = answer_of(await services.answers.of(f"{tag} {table.read_at // _READ_AT_STEP_MS}", encode))
    if query.view is View.SLIM:
        answer.headers.update({"ETag": tag, **REVALIDATED})
    return answer


def _page(table: PoolTable, query: PoolQuery) -> bytes:
    chosen = filtered(table.rows, query.row_filter())
    if query.sort is not None:
        chosen = sorted_by(chosen, query.sort, descending=query.descending)
    end = query.offset + query.limit
    return encoded(table, list(chosen[query.offset : end]), len(chosen), end if end < len(chosen) else None)


async def set_status(body: StatusRequest, services: Served, asking: Asking) -> CommandAnswer:
    """Disable or enable accounts in one batch; a refusal by the gateway is an outcome of its action, not an error."""
    return await _carried_out(body, DISABLE if body.disabled else ENABLE, services, asking)


async def delete_files(body: DeleteRequest, services: Served, asking: Asking) -> CommandAnswer:
    """Delete the files of OAuth accounts. With an API key among them nothing is deleted: 409, code `delete_refused`."""
    return await _carried_out(body, DELETE, services, asking)


async def _carried_out(
    body: StatusRequest | DeleteRequest, action: str, services: Served, asking: Asking
) -> CommandAnswer:
    command = await services.inspector.commands.carry_out(
        body.accounts,
        action,
        asking.actor,
        body.reason,
        released=frozenset(body.released),
        background=body.background,
    )
    return CommandAnswer.of(command)


async def read_plan(body: PlanRequest, services: Served) -> PlanView:
    """Show what a change of accounts would do (a dry run)."""
    plan = await services.inspector.commands.preview(body.accounts, body.action, frozenset(body.released))
    return PlanView.showing_plan(plan)


async def set_flags(body: FlagsRequest, services: Served) -> None:
    """Set flags of accounts, with the same for all of them; nothing is written to the gateway."""
    await services.inspector.listing.set_flags(body.accounts, never_probe=body.never_probe, managed=body.managed)
