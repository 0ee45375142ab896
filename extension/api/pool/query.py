"""Query of the pool: its view, scope, conditions, order and page."""

from enum import StrEnum
from typing import Annotated, Final

from pydantic import Field

from extension.api.payloads.payload import MOST_AGE, Payload, QueriedId
from extension.api.problems import bad_request
from extension.engine.pool.table import RowFilter, SortColumn, State
from extension.inspection.accounts.account import Source
from extension.inspection.accounts.families import Family
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
    fails; what is on hold is no recommendation, and is selected with `onHold=true` only.
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
