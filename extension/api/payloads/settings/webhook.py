"""The webhook for changed results, in requests and answers."""

from typing import Annotated, Self

from pydantic import Field

from extension.api.payloads.payload import Payload, ReasonView
from extension.engine.notifications.delivery_problem import delivery_reasons
from extension.engine.notifications.notifier import WebhookStatus
from extension.store.notifications.deliveries import DeliveryRecord


class WebhookRequest(Payload):
    """The new address of the webhook; empty removes it."""

    address: Annotated[str, Field(max_length=2000, repr=False)]


class DeliveryView(Payload):
    """The last delivery.

    `kind` is `inspection.changed` or `test`, `run` the run it reports. `problem` gives the reason of a failure after
    `attempts` requests. `at` is milliseconds UTC.
    """

    kind: str
    run: int | None
    at: int
    taken: bool
    attempts: int
    problem: str
    problems: tuple[ReasonView, ...]

    @classmethod
    def of(cls, record: DeliveryRecord) -> Self:
        """Show a stored delivery."""
        return cls.showing(record, run=record.run_id, problems=ReasonView.all_of(delivery_reasons(record.problem)))


class WebhookAnswer(Payload):
    """State of the notifications.

    `setBy` is `settings` where the service's settings name the address, `person` where it was set here, else
    empty. `host` is scheme and host alone: the rest of the address may be a token and is never answered.
    """

    set_by: str
    host: str
    last: DeliveryView | None

    @classmethod
    def of(cls, standing: WebhookStatus) -> Self:
        """Show how things stand."""
        return cls.showing(standing, last=DeliveryView.of(standing.last) if standing.last else None)
