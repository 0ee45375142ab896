"""Costs as answered."""

from typing import Self

from extension.api.payloads.payload import Payload
from extension.inspection.probes.cost import Cost


class CostAnswer(Payload):
    """The most a run can cost: `requests` and `tokens` are upper bounds, which most runs stay far below.

    `accounts` are the credentials in scope, `probed` those a request is sent for. `sampled` says that only a sample is
    probed, so that the bounds are those of the costliest one. `skipped` counts entries of the gateway's list that have
    no index and so cannot be inspected; `poolkeeper/pool` names them. `controls` are the requests with a wrong key
    among `requests`: they tell a refused key from a host that refuses everybody. A run of a schedule sends at most
    `scheduledControls` of them, one to a base URL in an hour.
    """

    accounts: int
    probed: int
    requests: int
    tokens: int
    sampled: bool
    skipped: int
    controls: int
    scheduled_controls: int

    @classmethod
    def of(cls, cost: Cost) -> Self:
        """Show a cost."""
        return cls.showing(cost)
