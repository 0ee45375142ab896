"""Stand-ins of the port through which automation has probes sent again."""

from collections.abc import Mapping
from typing import Final

from adapter.port import Answer, NoAnswer
from adapter.privacy.secret import Redactor
from extension.engine.pool.listed_account import ListedAccount, facts_of
from extension.inspection.accounts.account import Source
from extension.inspection.evidence.verdict import Verdict
from extension.inspection.requests.outcome import GatewayTrouble, ProbeRequest
from tests.extension.engine.samples import ENTRY

ACCOUNT: Final = ListedAccount(7, Source.API_KEY, facts_of(ENTRY, Redactor()), ENTRY)


class Answered:
    """Reprobe port of one account, whose only request always gets the same answer."""

    def __init__(self, request: ProbeRequest, answer: Answer | NoAnswer | GatewayTrouble) -> None:
        self._request = request
        self._answer = answer

    async def ask(self, listed: ListedAccount, request: ProbeRequest) -> Answer | NoAnswer | GatewayTrouble:
        assert (listed, request) == (ACCOUNT, self._request)
        return self._answer

    async def check(self, account_id: int) -> Verdict | None:
        raise AssertionError(account_id)


class Checked:
    """Reprobe port of accounts that are checked from the beginning."""

    def __init__(self, verdicts: Mapping[int, Verdict | None]) -> None:
        self._verdicts = verdicts
        self.account_ids: set[int] = set()

    async def ask(self, listed: ListedAccount, request: ProbeRequest) -> Answer | NoAnswer | GatewayTrouble:
        raise AssertionError(listed.id, request)

    async def check(self, account_id: int) -> Verdict | None:
        self.account_ids.add(account_id)
        return self._verdicts[account_id]
