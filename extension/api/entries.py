"""`poolkeeper/pool/entry`: the configuration entry of an API key, shown and edited."""

from collections.abc import Mapping
from typing import Annotated, Final, Self
from urllib.parse import urlsplit

from fastapi import Query
from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from extension.api.auth.authenticator import Asking
from extension.api.payloads.actions import CommandAnswer
from extension.api.payloads.payload import Payload, QueriedId, RowId
from extension.api.payloads.pool import AcceptLoss
from extension.api.routes import Routes
from extension.api.services import Served
from extension.engine.actions.entry_edit import EditPlan
from extension.engine.actions.entry_fields import EntryFields
from extension.engine.actions.executor import Command

_MOST: Final = 1_000
_Line = Annotated[str, Field(max_length=300, pattern=r"^[^\x00-\x1f\x7f]*$")]
_Header = Annotated[str, Field(min_length=1, max_length=100, pattern=r"^[!#$%&'*+.^_`|~0-9A-Za-z-]+$")]
_Value = Annotated[str, Field(min_length=1, max_length=8_000, pattern=r"^[^\x00-\x1f\x7f]+$")]


def _address(text: str) -> str:
    """Return an address with a host, as `http://[::1` and `http://a:port` have none that can be reached."""
    try:
        parts = urlsplit(text)
        has_host = not text or bool(parts.hostname and parts.port != 0)
    except ValueError:
        has_host = False
    if not has_host:
        raise PydanticCustomError("string_pattern_mismatch", "Input should be an address")
    return text


class EntryModel(Payload):
    """A model of an entry by its name at the provider, and its alias for clients, empty without one."""

    name: Annotated[_Line, Field(min_length=1)]
    alias: _Line = ""


class EntryFieldsView(Payload):
    """Fields of an entry that can be edited; a secret in a header or the base URL is hidden, and stays as it is."""

    base_url: Annotated[
        str,
        Field(max_length=2_000, pattern=r"^(https?://[^\s/\x00-\x1f\x7f]+[^\s\x00-\x1f\x7f]*)?$"),
        AfterValidator(_address),
    ]
    priority: Annotated[int, Field(strict=True, ge=-1_000_000, le=1_000_000)]
    prefix: Annotated[str, Field(max_length=300, pattern=r"^[^/\s\x00-\x1f\x7f]*$")]
    models: Annotated[tuple[EntryModel, ...], Field(max_length=_MOST)]
    headers: Annotated[dict[_Header, _Value], Field(max_length=_MOST)]

    @classmethod
    def of(cls, fields: EntryFields) -> Self:
        """Show fields, also those that no request may send."""
        models = tuple(EntryModel.model_construct(name=name, alias=alias) for name, alias in fields.models)
        return cls.model_construct(
            base_url=fields.base_url,
            priority=fields.priority,
            prefix=fields.prefix,
            models=models,
            headers=dict(fields.headers),
        )

    def fields(self) -> EntryFields:
        """Return them as the engine takes them."""
        models = tuple((model.name.strip(), model.alias.strip()) for model in self.models)
        headers: Mapping[str, str] = {name: value.strip() for name, value in self.headers.items()}
        return EntryFields(self.base_url, self.priority, self.prefix, models, headers)


class EntryQuery(Payload):
    """The account whose entry is shown."""

    account: QueriedId


class EntryAnswer(Payload):
    """The entry of an account; `accounts` are all that share it, and `revision` is repeated by an edit."""

    fields: EntryFieldsView
    revision: str
    accounts: tuple[int, ...]


class EntryRequest(Payload):
    """An edit of the entry of an account as it was shown; with `plan` nothing is written."""

    account: RowId
    revision: Annotated[str, Field(min_length=1, max_length=200)]
    fields: EntryFieldsView
    plan: Annotated[bool, Field(strict=True)] = False
    accept_loss: AcceptLoss = False
    reason: Annotated[str, Field(max_length=2000)] = ""


class EntryChangeView(Payload):
    """A field that an edit changes, as texts."""

    field: str
    before: str
    after: str


class EntryEditAnswer(Payload):
    """Changes and losses of an edit, and its command; null for a plan, and for an edit that changes nothing.

    `account` is the account of the entry after the edit: another base URL, prefix or header makes another one of it.
    """

    changes: tuple[EntryChangeView, ...]
    losses: tuple[str, ...]
    command: CommandAnswer | None
    account: int

    @classmethod
    def of(cls, plan: EditPlan | None, command: Command | None, account: int) -> Self:
        """Show a plan, or a command."""
        changed = () if plan is None else plan.changed.items()
        views = tuple(EntryChangeView(field=name, before=before, after=after) for name, (before, after) in changed)
        done = None if command is None or command.batch is None else CommandAnswer.of(command)
        moved = command.actions[0].after if command is not None and command.actions else None
        number = account if moved is None else int(moved["account"])
        return cls(changes=views, losses=() if plan is None else plan.losses.parts, command=done, account=number)


route = Routes("pool")


@route("GET", "pool/entry")
async def read_entry(query: Annotated[EntryQuery, Query()], services: Served) -> EntryAnswer:
    """Answer the fields of the entry of an API key; 409 `entry_refused` for an account without one."""
    view = await services.inspector.entries.view(query.account)
    return EntryAnswer.model_construct(
        fields=EntryFieldsView.of(view.fields), revision=view.revision, accounts=view.accounts
    )


@route("POST", "pool/entry")
async def edit_entry(body: EntryRequest, services: Served, asking: Asking) -> EntryEditAnswer:
    """Edit fields of an entry, or show what that would change and drop.

    An entry that is not as it was shown is 409 `entry_refused`, a write that drops parts 409 `loss_not_accepted`.
    """
    entries, fields = services.inspector.entries, body.fields.fields()
    if body.plan:
        return EntryEditAnswer.of(await entries.plan(body.account, body.revision, fields), None, body.account)
    command = await entries.carry_out(
        body.account, body.revision, fields, asking.actor, body.reason, accepts_loss=body.accept_loss
    )
    return EntryEditAnswer.of(None, command, body.account)
