"""`poolkeeper/pool` with `overview`, `recent` and changes to accounts: the pool as it is now."""

from enum import StrEnum
from typing import Annotated, Final

from fastapi import Header, Query, Response
from pydantic import Field

from extension.api.auth.authenticator import Asking
from extension.api.json_answer import REVALIDATED, accepts_gzip, entity_tag, json_answer, matches, shared_answer
from extension.api.payloads.actions import CommandAnswer, PlanRequest, PlanView
from extension.api.payloads.overview import OverviewAnswer
from extension.api.payloads.payload import LATEST, MOST_AGE, Payload, QueriedId
from extension.api.payloads.pool import (
    DeleteRequest,
    FlagsRequest,
    PoolAnswer,
    RecentAccountView,
    RecentAnswer,
    RecentView,
    SlimPoolAnswer,
    StatusRequest,
)
from extension.api.problems import bad_request
from extension.api.routes import Routes
from extension.api.services import Served
from extension.engine.actions.ownership import DELETE, DISABLE, ENABLE
from extension.engine.dispatch.commands import CommandKind
from extension.engine.pool.overview import PoolTable
from extension.engine.pool.table import RowFilter, SortColumn, State, filtered, sorted_by
from extension.inspection.accounts.account import Selection, Source
from extension.inspection.accounts.families import Family
from extension.inspection.settings import SettingsError
from extension.reasons.codes import ReasonCode
from extension.reasons.reason import because

MOST_VALUES: Final = 100
MOST_ACCOUNTS: Final = 1_000
_SHARED: Final = frozenset({"view", "source", "family", "filter"})
_Status = Annotated[int, Field(ge=0, le=999)]
_Token = Annotated[str, Field(max_length=32)]


class View(StrEnum):
    """Views of the pool: with the evidence of every last result, or without."""

    FULL = "full"
    SLIM = "slim"


class PoolQuery(Payload):
    """Accounts to answer: a family of keys, or a type of files, or `all` of the source.

    `filter` is a part of provider, label, name, address or file; it is for keys only. The other fields belong to
    `view=slim`. `verdict`, `action`, `state`, `status` (HTTP) and `account` can be given several times; an empty
    `verdict` or `action` selects accounts that were never checked. A recommendation that leads to the state an account
    is in already counts as `keep`, and one to keep a disabled account as `disable` once it is enabled although it still
    fails; `onHold` selects those on hold among them, or the others.
    `host` is a part of the base URL's host, `text` a list of words that name, base URL, file and result must all
    contain. `limit` accounts from `offset` on are answered.
    `revision` is that of an answer before: pages of the same revision come from the same reading of the gateway for
    half a minute, as long as nothing but progress of a run is new. With `age` a reading of the gateway that began as
    many seconds ago will do, unless something else is new since.
    """

    source: Source = Source.OAUTH
    family: Annotated[str, Field(min_length=1, max_length=100)] = Family.ALL.value
    filter: Annotated[str, Field(max_length=200)] = ""
    view: View = View.FULL
    account: Annotated[tuple[QueriedId, ...], Field(max_length=MOST_ACCOUNTS)] = ()
    verdict: Annotated[tuple[_Token, ...], Field(max_length=MOST_VALUES)] = ()
    action: Annotated[tuple[_Token, ...], Field(max_length=MOST_VALUES)] = ()
    state: Annotated[tuple[State, ...], Field(max_length=MOST_VALUES)] = ()
    status: Annotated[tuple[_Status, ...], Field(max_length=MOST_VALUES)] = ()
    host: Annotated[str, Field(max_length=200)] = ""
    text: Annotated[str, Field(max_length=200)] = ""
    on_hold: bool | None = None
    sort: SortColumn | None = None
    descending: bool = False
    revision: Annotated[str, Field(max_length=64)] = ""
    age: Annotated[float, Field(ge=0, le=MOST_AGE)] = 0.0
    offset: Annotated[int, Field(ge=0, le=10_000_000)] = 0
    limit: Annotated[int, Field(ge=1, le=20_000)] = 20_000

    def row_filter(self) -> RowFilter:
        """Return the conditions on the rows."""
        return RowFilter(
            accounts=frozenset(self.account),
            verdicts=frozenset(self.verdict),
            actions=frozenset(self.action),
            states=frozenset(self.state),
            statuses=frozenset(self.status),
            host=self.host,
            text=self.text,
            on_hold=self.on_hold,
        )

    def refuse_slim_fields(self) -> None:
        """Refuse fields that the full view would leave out of account.

        Raises:
            Problem: one was given.
        """
        for name in sorted(self.model_fields_set - _SHARED):
            field = type(self).model_fields[name].alias or name
            needed = because(ReasonCode.FIELD_OF_SLIM_VIEW, field=field)
            raise bad_request(needed, f"Add view=slim, or leave {field} out.", field)


route = Routes("pool")


@route(
    "GET",
    "pool",
    response_model=PoolAnswer | SlimPoolAnswer,
    responses={304: {"description": "Unchanged since `If-None-Match`."}},
)
async def read_pool(
    query: Annotated[PoolQuery, Query()],
    services: Served,
    accept_encoding: Annotated[str, Header()] = "",
    if_none_match: Annotated[str, Header()] = "",
) -> Response:
    """Read the pool from the gateway now and answer the accounts in scope with their last results.

    Where a reading takes long, one of two seconds ago is shared by readers; while a run is under way the reading is six
    seconds old at most, and the results are two. Later pages of an answer
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

    if query.view is View.SLIM:
        if matches(if_none_match, tag):
            return Response(status_code=304, headers={"ETag": tag, **REVALIDATED})
        answer = await shared_answer(lambda: _page(table, query), tag, table.bodies, zipped=zipped)
        answer.headers.update({"ETag": tag, **REVALIDATED})
        return answer
    view = await overview.with_evidence(table, scope)
    return await json_answer(lambda: PoolAnswer.encoded(view), zipped=zipped)


def _page(table: PoolTable, query: PoolQuery) -> bytes:
    chosen = filtered(table.rows, query.row_filter())
    if query.sort is not None:
        chosen = sorted_by(chosen, query.sort, descending=query.descending)
    end = query.offset + query.limit
    following = end if end < len(chosen) else None
    return SlimPoolAnswer.encoded(table, chosen[query.offset : end], len(chosen), following)


@route("POST", "pool/status")
async def set_status(body: StatusRequest, services: Served, asking: Asking) -> CommandAnswer:
    """Disable or enable accounts in one batch; a refusal by the gateway is an outcome of its action, not an error."""
    return await _carried_out(body, DISABLE if body.disabled else ENABLE, services, asking)


@route("POST", "pool/delete")
async def delete_files(body: DeleteRequest, services: Served, asking: Asking) -> CommandAnswer:
    """Delete the files of OAuth accounts. With an API key among them nothing is deleted: 409, code `delete_refused`."""
    return await _carried_out(body, DELETE, services, asking)


async def _carried_out(
    body: StatusRequest | DeleteRequest, action: str, services: Served, asking: Asking
) -> CommandAnswer:
    command = await services.ask_for_batch(
        CommandKind.SWITCH,
        asking.actor,
        accounts=body.accounts,
        action=action,
        reason=body.reason,
        released=body.released,
        background=body.background,
        acceptsLoss=isinstance(body, StatusRequest) and body.accept_loss,
    )
    return CommandAnswer.of(command)


@route("POST", "pool/plan")
async def read_plan(body: PlanRequest, services: Served) -> PlanView:
    """Show what a change of accounts would do (a dry run)."""
    plan = await services.inspector.commands.preview(body.accounts, body.action, frozenset(body.released))
    return PlanView.showing_plan(plan)


@route("POST", "pool/flags", status_code=204)
async def set_flags(body: FlagsRequest, services: Served) -> None:
    """Set flags of accounts, with the same for all of them; nothing is written to the gateway."""
    await services.inspector.listing.set_flags(
        body.accounts, never_probe=body.never_probe, managed=body.managed, protected=body.protected
    )


_DAY_MS: Final = 24 * 3_600_000


class OverviewQuery(Payload):
    """Time (ms UTC) from which on actions of automation are counted: the last 24 hours unless given."""

    since: Annotated[int, Field(ge=0, le=LATEST)] | None = None


@route("GET", "pool/overview")
async def read_overview(query: Annotated[OverviewQuery, Query()], services: Served) -> OverviewAnswer:
    """Read the pool from the gateway now and answer its health in figures.

    Each count is the number of accounts, actions or results that the other resources answer with the same filter.
    """
    inspector = services.inspector
    since = max(0, services.clock.now_ms() - _DAY_MS) if query.since is None else query.since
    report = await inspector.health.read(since)
    return OverviewAnswer.of(report, since, await inspector.schedules.all())


_ACCOUNTS: Final = 200
_RESULTS: Final = 100


class RecentQuery(Payload):
    """Accounts, and how many results of each to answer."""

    account: Annotated[tuple[QueriedId, ...], Field(min_length=1, max_length=_ACCOUNTS)]
    limit: Annotated[int, Field(ge=1, le=_RESULTS)] = 20


@route("GET", "pool/recent")
async def read_recent(query: Annotated[RecentQuery, Query()], services: Served) -> RecentAnswer:
    """Answer the last results of accounts in any run, the newest first, without evidence."""
    results_by_account = await services.inspector.history.recent_results(query.account, query.limit)
    return RecentAnswer(
        accounts=tuple(
            RecentAccountView(account=account, results=tuple(RecentView.showing(result) for result in results))
            for account, results in results_by_account.items()
        )
    )
