"""Probes that are sent again right before automatic changes: of accounts that failed, and of witnesses that worked.

Theory of operation. A wall in front of a host refuses good keys. Where most of the probes around one are refused, the
change is on hold; a short wall, or one at the same place of two runs, such as their first seconds, looks like a few
bad keys, and so do a host that answers 503 to some and a limit that is reached in the same minute of two runs. So the
account itself confirms a change (second look). A time limit that was reached is waited for once more, not twice.

A wall that begins while a host is probed refuses at once, and what had passed before it is answered after its first
refusals. Neither the order of the answers nor that of the requests shows for certain on which side of its beginning a
request came in. So accounts of the same route (base URL and proxy) that worked are asked once more, too. A witness that
is refused now speaks against the change. One that is served speaks for it. An overloaded host, or none that answers,
says neither.

Requests from before a resumption of the run are not at hand any more: these accounts are checked anew.
"""

import re
from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from random import Random
from typing import Final, Protocol

from adapter.port import Answer, NoAnswer, NoAnswerKind
from extension.engine.pool.listed_account import ListedAccount
from extension.inspection.evidence.verdict import Verdict
from extension.inspection.policy.circuit_breaker import LASTING
from extension.inspection.probes.judgement import Judgement
from extension.inspection.requests.outcome import Attempt, GatewayTrouble, ProbeRequest

_MOST_WITNESSES: Final = 8
"""Witnesses kept of each route, the newest."""
_PASSING: Final = frozenset({HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_MANY_REQUESTS})
_SERVED_BADLY: Final = frozenset({HTTPStatus.BAD_REQUEST, HTTPStatus.UNPROCESSABLE_ENTITY})
"""Answers of a host that serves the account, about the empty body of the request."""
_VARYING: Final = re.compile(r"\w*\d\w*")
"""Words of a body that differ from answer to answer: numbers of requests, times."""
_SLOW: Final = frozenset({NoAnswerKind.TIMEOUT, NoAnswerKind.UNKNOWN})
"""Kinds of a missing answer that may take as long again; a gateway that does not explain it may mean such a one."""


class Reprobe(Protocol):
    """Port of automation to the probes of its run."""

    async def ask(self, listed: ListedAccount, request: ProbeRequest) -> Answer | NoAnswer | GatewayTrouble:
        """Send a request through an account once more. Raises `GatewayError`."""

    async def check(self, account_id: int) -> Verdict | None:
        """Check an account from the beginning; None for one that is not there any more. Raises as `ask` does."""


@dataclass(frozen=True, slots=True)
class _Success:
    listed: ListedAccount
    request: ProbeRequest


class Witnesses:
    """Newest successes of each route of a run; routes are named as `route_named` does."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._by_route: defaultdict[str, deque[_Success | int]] = defaultdict(lambda: deque(maxlen=_MOST_WITNESSES))

    def worked(self, route: str, listed: ListedAccount, attempts: Iterable[Attempt]) -> None:
        """Remember the first success of a probe, if the host served its account at all."""
        request = next((attempt.request for attempt in attempts if is_served(attempt.answer)), None)
        if request is not None:
            self._by_route[route].append(_Success(listed, request))

    def worked_before(self, route: str, account_id: int) -> None:
        """Remember an account that worked before the run was resumed, and is checked from the beginning."""
        self._by_route[route].append(account_id)

    def has(self, route: str) -> bool:
        """Return whether an account of a route worked."""
        return route in self._by_route

    async def works(self, route: str, reprobe: Reprobe) -> bool | None:
        """Ask one of the accounts of a route that worked: whether it is served, None where that cannot be said."""
        witness = self._random.choice(self._by_route[route])
        if isinstance(witness, _Success):
            return is_served(await reprobe.ask(witness.listed, witness.request))
        verdict = await reprobe.check(witness)
        return True if verdict is Verdict.HEALTHY else False if verdict in LASTING else None


@dataclass(frozen=True, slots=True)
class _Failure:
    listed: ListedAccount
    request: ProbeRequest
    status: int | None
    complaint: str
    lasts: bool
    is_slow: bool


class FailedProbes:
    """Failed probes of the accounts of a run, which a second look repeats."""

    def __init__(self) -> None:
        self._by_account: dict[int, _Failure] = {}

    def add(self, listed: ListedAccount, attempts: Sequence[Attempt], judgement: Judgement) -> None:
        """Remember the attempt that a judgement rests on: the last one with its status, or without an answer."""
        decisive = next((attempt for attempt in reversed(attempts) if attempt.status == judgement.status), None)
        if decisive is not None and not isinstance(decisive.answer, GatewayTrouble):
            lasts = judgement.verdict in LASTING
            is_slow = isinstance(decisive.answer, NoAnswer) and decisive.answer.kind in _SLOW
            self._by_account[listed.id] = _Failure(
                listed, decisive.request, decisive.status, _complaint(decisive.answer), lasts, is_slow
            )

    def asks(self, account_id: int, verdict: str, number: int) -> bool:
        """Return whether an account with a verdict is asked in a round; the first one has the number 0."""
        failure = self._by_account.get(account_id)
        return verdict in LASTING if failure is None else number == 0 or not failure.is_slow

    async def fails_again(self, account_id: int, reprobe: Reprobe) -> bool | None:
        """Ask an account again, and return whether it fails as before; None where that cannot be said.

        A refusal that lasts is repeated by its status, and where a host that serves may answer with that status, too,
        by its words: Google says with 400 that a key is not valid, and that a request is empty. Trouble of the moment
        is repeated by anything that serves nothing: a complaint about an empty body comes of a host that serves.
        """
        failure = self._by_account.get(account_id)
        if failure is None:
            verdict = await reprobe.check(account_id)
            return True if verdict in LASTING else False if verdict is Verdict.HEALTHY else None
        answer = await reprobe.ask(failure.listed, failure.request)
        if Attempt(failure.request, answer).trouble is not None:
            return None
        is_same = isinstance(answer, Answer) and answer.status == failure.status
        is_same = is_same and _complaint(answer) == failure.complaint
        if not failure.lasts:
            answers_badly = isinstance(answer, Answer) and answer.status in _SERVED_BADLY
            return not is_served(answer) and (is_same or not answers_badly)
        if is_same:
            return True
        return None if is_served(answer) is None else False


def _complaint(answer: Answer | NoAnswer | GatewayTrouble | None) -> str:
    """Return what an answer says whose status a host that serves may give as well; empty for any other."""
    if not isinstance(answer, Answer) or answer.status not in _SERVED_BADLY:
        return ""
    return _VARYING.sub("", answer.body)


def is_served(answer: Answer | NoAnswer | GatewayTrouble) -> bool | None:
    """Return whether an account is served; None for an answer about the moment: no answer, 429 or 5xx."""
    if not isinstance(answer, Answer) or answer.status in _PASSING or answer.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return None
    return answer.status // 100 == 2  # noqa: PLR2004 - the class of success
