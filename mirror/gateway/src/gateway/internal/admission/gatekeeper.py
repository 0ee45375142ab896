"""Admission of management requests, in the stock gateway's order of checks."""

import asyncio
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias
from weakref import WeakValueDictionary

from gateway.internal.admission.address import Network, claimed_address, client_address, counted_as, is_local
from gateway.internal.admission.bans import BanTable, go_duration
from gateway.internal.admission.presented import presented_key
from gateway.internal.admission.verifier import TooManyChecks, Verifier, same

_FORBIDDEN = 403
_UNAUTHORISED = 401
_NOT_FOUND = 404
_TOO_MANY = 429
_CROSS_SITE = "cross-site"
_BUSY = "too many keys are being checked; try again in a second"


@dataclass(frozen=True, slots=True)
class Rules:
    """Settings in force for one request.

    Attributes:
        stored_hash: bcrypt hash from the configuration, or empty.
        clear_secret: Clear-text secret from the configuration until it is hashed, or empty.
        environment_secret: Clear-text secret from the environment, or empty; it also admits remote clients.
        local_password: Password for local clients, or empty.
        allow_remote: The configuration admits remote clients.
        trusted: Proxies whose ``X-Forwarded-For`` counts.
        trust_everyone: Trust every forwarded header, as the stock gateway does.
        count_keyless: Count a request without a key as a failure, as the stock gateway does.
        count_cross_site: Count requests from pages of other sites like any other, as the stock gateway does. Otherwise
            they are counted and banned separately, so that an open page cannot ban the operator.
    """

    stored_hash: str = field(default="", repr=False)
    clear_secret: str = field(default="", repr=False)
    environment_secret: str = field(default="", repr=False)
    local_password: str = field(default="", repr=False)
    allow_remote: bool = False
    trusted: Sequence[Network] = ()
    trust_everyone: bool = False
    count_keyless: bool = True
    count_cross_site: bool = True

    @property
    def available(self) -> bool:
        """Return whether a secret is set; without one there is no management interface."""
        return bool(self.configured or self.local_password)

    @property
    def configured(self) -> bool:
        """Return whether the configuration or the environment sets a secret."""
        return bool(self.stored_hash or self.clear_secret or self.environment_secret)


@dataclass(frozen=True, slots=True)
class Admitted:
    """An admitted request and the client address it was judged by."""

    client: str


@dataclass(frozen=True, slots=True)
class Denied:
    """A rejected request.

    Attributes:
        status: HTTP status of the answer.
        body: JSON body of the answer; empty where there is no management interface.
        retry_after: Whole seconds until a ban ends, or until a check may be repeated (status 429); else None.
    """

    status: int
    body: Mapping[str, str]
    retry_after: int | None = None


Decision: TypeAlias = Admitted | Denied


@dataclass(frozen=True, slots=True)
class _Caller:
    """A caller's address, and the key under which its failures are counted."""

    client: str
    counted: str


class Gatekeeper:
    """Admission for the whole gateway, so that all its interfaces share one ban table."""

    def __init__(self, bans: BanTable, verifier: Verifier) -> None:
        self._bans = bans
        self._verifier = verifier
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def decide(self, rules: Rules, headers: Mapping[str, str], peer: str | None) -> Decision:
        """Judge a request.

        Args:
            rules: The settings in force.
            headers: Request headers, names in lower case.
            peer: Address of the TCP peer, or None when it has none.
        """
        if not rules.available:
            return Denied(_NOT_FOUND, {})
        caller = _caller(rules, headers, peer)
        return self._turned_away(rules, caller) or await self._judge_key(rules, caller, presented_key(headers))

    def close(self) -> None:
        """Cancel waiting checks."""
        self._verifier.close()

    def _turned_away(self, rules: Rules, caller: _Caller) -> Denied | None:
        if banned := self._banned(caller):
            return banned
        if not (is_local(caller.client) or rules.allow_remote or rules.environment_secret):
            return Denied(_FORBIDDEN, {"error": "remote management disabled"})
        if not rules.configured:
            return Denied(_FORBIDDEN, {"error": "remote management key not set"})
        return None

    def _banned(self, caller: _Caller) -> Denied | None:
        seconds = self._bans.remaining(caller.counted)
        if seconds is None:
            return None
        text = f"IP banned due to too many failed attempts. Try again in {go_duration(seconds)}"
        return Denied(_FORBIDDEN, {"error": text}, retry_after=math.ceil(seconds))

    async def _judge_key(self, rules: Rules, caller: _Caller, key: str) -> Decision:
        if not key:
            return self._failure(caller, "missing management key", counts=rules.count_keyless)
        if is_local(caller.client) and same(key, rules.local_password):
            return self._success(caller)
        if same(key, rules.environment_secret) or same(key, rules.clear_secret):
            return self._success(caller)
        if not rules.stored_hash:
            return self._failure(caller, "invalid management key")
        if self._verifier.remembers(key, rules.stored_hash):
            return self._success(caller)
        return await self._judge_slowly(rules, caller, key)

    async def _judge_slowly(self, rules: Rules, caller: _Caller, key: str) -> Decision:
        """Check with bcrypt, one key of a client at a time, so that a burst of guesses is limited to five."""
        turn = self._turns.setdefault(caller.counted, asyncio.Lock())
        async with turn:
            if banned := self._banned(caller):
                return banned
            try:
                matches = await self._verifier.matches(key, rules.stored_hash, local=is_local(caller.client))
            except TooManyChecks:
                return Denied(_TOO_MANY, {"error": _BUSY}, retry_after=1)
            return self._success(caller) if matches else self._failure(caller, "invalid management key")

    def _success(self, caller: _Caller) -> Admitted:
        self._bans.succeeded(caller.counted)
        return Admitted(caller.client)

    def _failure(self, caller: _Caller, text: str, *, counts: bool = True) -> Denied:
        if counts:
            self._bans.failed(caller.counted)
        return Denied(_UNAUTHORISED, {"error": text})


def _caller(rules: Rules, headers: Mapping[str, str], peer: str | None) -> _Caller:
    believed = claimed_address(peer, headers) if rules.trust_everyone else client_address(peer, headers, rules.trusted)
    counted = counted_as(believed)
    foreign = headers.get("sec-fetch-site", "").strip().lower() == _CROSS_SITE and not rules.count_cross_site
    return _Caller(believed, f"{counted} {_CROSS_SITE}" if foreign else counted)
