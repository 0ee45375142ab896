"""`poolkeeper/pool/commands`: the outcome of a command that was answered with 202 and its number."""

from typing import Annotated

from fastapi import Query
from starlette.responses import JSONResponse

from extension.api.payloads.actions import BatchView, CommandAnswer
from extension.api.payloads.client_keys import KeyActionAnswer
from extension.api.payloads.commands import PendingAnswer
from extension.api.payloads.payload import Payload, QueriedId
from extension.api.payloads.runs import RunAnswer, RunView
from extension.api.routes import Routes
from extension.api.services import Served
from extension.engine.actions.executor import Command
from extension.engine.dispatch.port import CommandPending
from extension.store.client_keys import KeyActionRecord
from extension.store.records import RunRecord


class CommandQuery(Payload):
    """The command to ask for."""

    command: QueriedId


route = Routes("pool")


@route(
    "GET",
    "pool/commands",
    response_model=RunAnswer | CommandAnswer | KeyActionAnswer | BatchView,
    responses={202: {"model": PendingAnswer, "description": "The owner of the gateway has not answered yet."}},
)
async def read_outcome(
    query: Annotated[CommandQuery, Query()], services: Served
) -> RunAnswer | CommandAnswer | KeyActionAnswer | BatchView:
    """Answer a command as its own path would have: with its run, its batch, or its error.

    202 with its number until there is an answer.
    """
    outcome = await services.dispatch.answer(services.inspector.listing.pool_id, query.command)
    match outcome:
        case RunRecord():
            return RunAnswer(run=RunView.of(outcome))
        case KeyActionRecord():
            return KeyActionAnswer.of(outcome)
        case Command():
            return CommandAnswer.of(outcome)
        case _:
            return BatchView.of(outcome)


def pending(error: CommandPending) -> JSONResponse:
    """Make the answer to a command that is not answered in time: 202 with its number."""
    return JSONResponse(PendingAnswer(command=error.command_id).model_dump(by_alias=True), 202, {"Retry-After": "1"})
