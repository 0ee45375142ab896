"""Whose turn it is among the credentials that serve a model."""

from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import TypeVar

from gateway.internal.inference.catalogue import Offer

T = TypeVar("T")
_MOST_TURNS = 1024
FILL_FIRST = "fill-first"
WEIGHTED = "weighted-round-robin"


class Rotation:
    """Takes turns for each model by itself, over credentials sorted by id.

    Only the highest priority with somebody available counts. ``round-robin`` goes on after whoever came last,
    ``fill-first`` takes the first until he is not available, and ``weighted-round-robin`` spreads by weight: a
    credential without one counts as 1, with 0 it gets nothing.
    """

    def __init__(self) -> None:
        self._last: OrderedDict[str, str] = OrderedDict()
        self._credit: OrderedDict[str, dict[str, int]] = OrderedDict()

    def choose(
        self, strategy: str, turn: str, tiers: Sequence[Sequence[Offer]], available: Callable[[Offer], bool]
    ) -> Offer | None:
        """Return who is to serve, None when nobody is available.

        Args:
            strategy: One of the three words above.
            turn: What turns are taken in, e.g. a dialect and a model.
            tiers: All who serve it, by id, those of the highest priority first.
            available: Whether somebody can be asked now.
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
