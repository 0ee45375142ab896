"""Choice of a credential: by rotation, or by session."""

import hashlib
import json
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from gateway.internal.inference.catalogue import Offer
from gateway.internal.inference.request import InferenceRequest

T = TypeVar("T")
_MOST_TURNS = 1024
FILL_FIRST = "fill-first"
WEIGHTED = "weighted-round-robin"


class Rotation:
    """Rotation for each model, over credentials sorted by id.

    Only the highest priority with an available credential counts. ``round-robin`` continues after the last one,
    ``fill-first`` takes the first available one, and ``weighted-round-robin`` distributes by weight: a credential
    without one counts as 1, with 0 it gets no request.
    """

    def __init__(self) -> None:
        self._last: OrderedDict[str, str] = OrderedDict()
        self._credit: OrderedDict[str, dict[str, int]] = OrderedDict()

    def choose(
        self, strategy: str, turn: str, tiers: Sequence[Sequence[Offer]], available: Callable[[Offer], bool]
    ) -> Offer | None:
        """Return the next offer, None when none is available.

        Args:
            strategy: One of the three strategies above.
            turn: Key of the rotation, e.g. a dialect and a model.
            tiers: All offers, by id, those of the highest priority first.
            available: Whether an offer can be used now.
        """
        for number, tier in enumerate(tiers):
            chosen = self._choose(strategy, f"{turn} {number}", tier, available)
            if chosen is not None:
                return chosen
        return None

    def _choose(
        self, strategy: str, turn: str, tier: Sequence[Offer], available: Callable[[Offer], bool]
    ) -> Offer | None:
        if strategy == FILL_FIRST:
            return next(filter(available, tier), None)
        if strategy == WEIGHTED:
            return self._weighted(turn, [offer for offer in tier if available(offer)])
        return self._next(turn, tier, available)

    def _next(self, turn: str, tier: Sequence[Offer], available: Callable[[Offer], bool]) -> Offer | None:
        last = self._last.get(turn, "")
        start = bisect_right(tier, last, key=lambda offer: offer.credential.id)
        for place in range(len(tier)):
            offer = tier[(start + place) % len(tier)]
            if available(offer):
                _remember(self._last, turn, offer.credential.id)
                return offer
        return None

    def _weighted(self, turn: str, tier: Sequence[Offer]) -> Offer | None:
        weights = {offer.credential.id: _weight(offer) for offer in tier if _weight(offer)}
        if not weights:
            return None
        before = self._credit.get(turn, {})
        credit = {name: before.get(name, 0) + weight for name, weight in weights.items()}
        chosen = max(sorted(credit), key=lambda name: credit[name])
        credit[chosen] -= sum(weights.values())
        _remember(self._credit, turn, {**before, **credit})
        return next(offer for offer in tier if offer.credential.id == chosen)


def _weight(offer: Offer) -> int:
    return 1 if offer.credential.weight is None else offer.credential.weight


def _remember(turns: OrderedDict[str, T], turn: str, value: T) -> None:
    turns[turn] = value
    turns.move_to_end(turn)
    if len(turns) > _MOST_TURNS:
        turns.popitem(last=False)


_MOST_SESSIONS = 10_000
_HEADERS = ("X-Session-Id", "Session_id", "Session-Id", "Conversation_id", "X-Conversation-Id")
_FIELDS = ("session_id", "conversation_id", "prompt_cache_key", "previous_response_id")
_OPENINGS = ("messages", "contents", "input")


@dataclass(frozen=True, slots=True)
class _Pin:
    credential_id: str
    until: float


class Sessions:
    """Last credential of each session; the most recently used sessions are kept."""

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._pins: OrderedDict[str, _Pin] = OrderedDict()

    def credential_of(self, session: str) -> str:
        """Return the id of the session's credential; empty when there is none, or it expired."""
        pin = self._pins.get(session)
        if pin is None:
            return ""
        if pin.until <= self._monotonic():
            del self._pins[session]
            return ""
        return pin.credential_id

    def served(self, session: str, credential_id: str, seconds: float) -> None:
        """Record the credential of a session for this many seconds."""
        self._pins[session] = _Pin(credential_id, self._monotonic() + seconds)
        self._pins.move_to_end(session)
        if len(self._pins) > _MOST_SESSIONS:
            self._pins.popitem(last=False)


def session_of(request: InferenceRequest, api_key: str) -> str:
    """Return the identity of a request's session; empty when it has none.

    The client may name it, in a header or in a field of the body, among them ``metadata.user_id`` of Anthropic's coding
    clients. Otherwise the opening of the conversation identifies it: instructions and the first turn. Sessions of
    different client keys, protocols and models differ. The result is a digest, without key or words.
    """
    document = request.document or {}
    name = _named(request.headers, document) or _opening(document)
    if not name:
        return ""
    parts = (api_key, request.action.dialect, request.model, name)
    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()


def _named(headers: Mapping[str, str], document: Mapping[str, object]) -> str:
    metadata = document.get("metadata")
    of_user = metadata.get("user_id") if isinstance(metadata, dict) else None
    names = (*(headers.get(name) for name in _HEADERS), of_user, *(document.get(name) for name in _FIELDS))
    return next((name for name in names if isinstance(name, str) and name), "")


def _opening(document: Mapping[str, object]) -> str:
    """Return the opening of a conversation: all turns up to the first one that is not an instruction."""
    turns = next((document[name] for name in _OPENINGS if document.get(name)), None)
    if turns is None:
        return ""
    opening: list[object] = [document.get(name) for name in ("system", "instructions", "systemInstruction")]
    for turn in turns if isinstance(turns, list) else [turns]:
        opening.append(turn)
        if not (isinstance(turn, dict) and turn.get("role") in {"system", "developer"}):
            break
    return json.dumps(opening, sort_keys=True)
