"""A gateway's counters of its API keys, from `api-key-usage`. Pure; the answer holds the keys in clear.

Cool-downs of API keys are nowhere in a stock gateway's management API (v7.2.140), so none is reported.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from adapter.port import Activity
from adapter.rules.entries import KeyRecord
from adapter.rules.identity import provider_of

NOTHING: Final = Activity()
_Counted = tuple[str, str]


@dataclass(frozen=True, slots=True)
class KeyActivity:
    """Counters by provider and by base URL with key, as the gateway writes them."""

    counted: Mapping[_Counted, Activity] = field(default_factory=dict, repr=False)

    @staticmethod
    def names_of(records: Iterable[KeyRecord]) -> set[tuple[str, str]]:
        """The names under which a gateway counts keys."""
        return set(map(_name, records))

    def of(self, records: Iterable[KeyRecord]) -> list[Activity]:
        """The activity of each record; none where several share a counter, because its owner is not known."""
        names = [_name(record) for record in records]
        shared = Counter(names)
        return [self.counted.get(name, NOTHING) if shared[name] == 1 else NOTHING for name in names]


def key_activity(answer: Any) -> KeyActivity:
    """Read the answer; elements that are no counters are left out."""
    providers = answer if isinstance(answer, Mapping) else {}
    counted: dict[_Counted, Activity] = {}
    for provider, keys in providers.items():
        for name, counters in keys.items() if isinstance(keys, Mapping) else ():
            if isinstance(counters, Mapping):
                counted[provider, name] = Activity(_count(counters, "success"), _count(counters, "failed"))
    return KeyActivity(counted)


def _name(record: KeyRecord) -> _Counted:
    facts = record.facts
    compatible = facts.section.holds_providers and facts.compat_name.strip()
    provider = facts.compat_name.strip().lower() if compatible else provider_of(facts)
    return (provider, f"{facts.base_url.strip()}|{facts.api_key.strip()}")


def _count(counters: Mapping[str, Any], name: str) -> int:
    value = counters.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0
