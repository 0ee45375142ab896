"""The address that is told of changes, as asked and answered."""

from typing import Annotated, Self

from pydantic import Field

from extension.api.payloads.payload import Payload
from extension.engine.notifications.notifier import WebhookStatus
from extension.store.notifications.deliveries import DeliveryRecord


class WebhookRequest(Payload):
    """The address to tell from now on; empty for nobody."""

    address: Annotated[str, Field(max_length=2000, repr=False)]


class DeliveryView(Payload):
    """What became of the last message.

    `kind` is `inspection.changed` or `test`, `run` the run it tells of. `problem` says why it was not taken after
    `attempts` requests. `at` is milliseconds UTC.
    """

    kind: str
    run: int | None
    at: int
    taken: bool
    attempts: int
    problem: str

    @classmethod
    def of(cls, record: DeliveryRecord) -> Self:
        """Show a stored delivery."""
        return cls.showing(record, run=record.run_id)


class WebhookAnswer(Payload):
    """How things stand.

    `setBy` is `settings` where the service's settings name the address, `person` where somebody set it here, else
    empty. `host` is scheme and host alone: the rest of the address may be a token and is never answered.
    """

    set_by: str
    host: str
    last: DeliveryView | None

    @classmethod
    def of(cls, standing: WebhookStatus) -> Self:
        """Show how things stand."""
        return cls.showing(standing, last=DeliveryView.of(standing.last) if standing.last else None)
