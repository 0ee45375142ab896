"""Strategies: the automatic action for each recommendation, and the accounts that are probed."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from extension.inspection.accounts.account import Source
from extension.inspection.evidence.action import Action
from extension.inspection.settings import AutoActionMode, RealtimeAutoActions


@dataclass(frozen=True, slots=True)
class StrategyRow:
    """One row of the table: the action for each recommendation, None for nothing, and the accounts that are probed.

    ``probes`` is the state an account must be in to be probed; None for all.
    """

    disable: Action | None
    delete: Action | None
    enable: Action | None
    probes: bool | None = None


_EVERYTHING = (Action.DISABLE, Action.DELETE, Action.ENABLE)

STRATEGIES: Mapping[tuple[Source, AutoActionMode], StrategyRow] = MappingProxyType(
    {
        (Source.API_KEY, AutoActionMode.NONE): StrategyRow(None, None, None),
        (Source.API_KEY, AutoActionMode.DISABLE): StrategyRow(Action.DISABLE, Action.DISABLE, Action.ENABLE),
        (Source.OAUTH, AutoActionMode.NONE): StrategyRow(None, None, None),
        (Source.OAUTH, AutoActionMode.DISABLE): StrategyRow(Action.DISABLE, Action.DISABLE, None),
        (Source.OAUTH, AutoActionMode.DELETE): StrategyRow(Action.DISABLE, Action.DELETE, None),
        (Source.OAUTH, AutoActionMode.STRATEGY_4): StrategyRow(*_EVERYTHING),
        (Source.OAUTH, AutoActionMode.STRATEGY_5): StrategyRow(*_EVERYTHING, probes=False),
        (Source.OAUTH, AutoActionMode.STRATEGY_6): StrategyRow(*_EVERYTHING, probes=True),
    }
)
"""Automatic actions of each mode under each source; no row of API keys holds a deletion."""


def automatic(source: Source, mode: AutoActionMode, recommended: Action) -> Action | None:
    """Return the automatic action of a run for a recommendation, or None.

    Raises:
        KeyError: the source does not know the mode; settings never hold such a pair.
    """
    row = STRATEGIES[source, mode]
    acts = {Action.DISABLE: row.disable, Action.DELETE: row.delete, Action.ENABLE: row.enable, Action.KEEP: None}
    return acts[recommended]


def is_probed(source: Source, mode: AutoActionMode, enabled: bool | None) -> bool:
    """Return whether a run in this mode probes an account in this state; an unreported state matches neither."""
    probed_state = STRATEGIES[source, mode].probes
    return probed_state is None or enabled is probed_state


def is_at_once(action: Action, switches: RealtimeAutoActions) -> bool:
    """Return whether an action is applied right after the probe instead of at the end of the run."""
    lets_through = {
        Action.DISABLE: switches.disable,
        Action.ENABLE: switches.enable,
        Action.DELETE: switches.delete,
        Action.KEEP: False,
    }
    return lets_through[action]
