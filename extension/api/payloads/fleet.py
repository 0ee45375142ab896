"""Gateways of a fleet, in requests and answers: a key goes in and never comes out."""

from collections.abc import Mapping
from typing import Annotated, Self

from pydantic import Field, SecretStr

from adapter.privacy.secret import Secret
from extension.api.payloads.payload import Payload
from extension.engine.fleet.gateways import GatewayTest
from extension.engine.fleet.orders import GatewayChange, GatewayOrder
from extension.store.fleet.gateways import GatewayRecord
from extension.store.workers import WorkerRecord

GatewayName = Annotated[str, Field(min_length=1, max_length=64)]
GatewayUrl = Annotated[str, Field(min_length=1, max_length=500)]
GatewayKey = Annotated[SecretStr, Field(min_length=1, max_length=1000)]
KeyReference = Annotated[str, Field(max_length=500)]
Authority = Annotated[str, Field(max_length=100_000)]
Labels = Annotated[dict[str, str], Field(max_length=100)]
Egress = Annotated[str, Field(max_length=64)]
_MOST_GATEWAYS = 200


class GatewayRequest(Payload):
    """A new gateway, with its management `key` or a `keyRef` (`env:NAME` or `file:PATH`) to it.

    `ca` holds the certificates (PEM) of its authority where the machine does not trust it. `egress` names its way to
    the providers.
    """

    name: GatewayName
    url: GatewayUrl
    key: GatewayKey | None = None
    key_ref: KeyReference = ""
    ca: Authority = ""
    labels: Labels = Field(default_factory=dict)
    egress: Egress = ""
    enabled: bool = True

    def order(self) -> GatewayOrder:
        """Return the order that the request is."""
        fields = self.model_dump(exclude={"key"})
        return GatewayOrder(**fields, key=_secret(self.key))


class GatewayEdit(Payload):
    """Changes of a gateway; what is left out stays. Another URL needs the key again."""

    name: GatewayName
    url: GatewayUrl | None = None
    key: GatewayKey | None = None
    key_ref: KeyReference | None = None
    ca: Authority | None = None
    labels: Labels | None = None
    egress: Egress | None = None
    enabled: bool | None = None

    def change(self) -> GatewayChange:
        """Return the change that the request is."""
        return GatewayChange(**self.model_dump(exclude={"key", "name"}), key=_secret(self.key))


class GatewayChoice(Payload):
    """The gateway that a command is for."""

    name: GatewayName


class ImportRequest(Payload):
    """The gateways of a file; `prune` removes all others, and `dryRun` changes nothing."""

    gateways: Annotated[tuple[GatewayRequest, ...], Field(max_length=_MOST_GATEWAYS)]
    dry_run: bool = False
    prune: bool = False


class FleetGatewayView(Payload):
    """A gateway of the fleet. Of its key only `keySet` is answered, and the reference that leads to it.

    `keyRefused`: it has refused its key, which no process sends again until it is changed. `problem` says why this
    process cannot work with it, and is empty otherwise. Times are milliseconds UTC.
    """

    id: int
    name: str
    url: str
    key_set: bool
    key_ref: str
    ca_set: bool
    labels: Mapping[str, str]
    egress: str
    enabled: bool
    key_refused: bool
    release: str
    capabilities: tuple[str, ...]
    seen_at: int | None
    added_by: str
    added_at: int
    revision: int
    problem: str

    @classmethod
    def of(cls, gateway: GatewayRecord, problem: str = "") -> Self:
        """Show a gateway."""
        return cls.showing(
            gateway,
            id=gateway.pool_id,
            key_set=gateway.key_sealed is not None,
            ca_set=bool(gateway.ca),
            problem=problem,
        )


class GatewaysAnswer(Payload):
    """The gateways of the fleet by name."""

    gateways: tuple[FleetGatewayView, ...]


class GatewayTestView(Payload):
    """Answer of a gateway to a test; `hashedKey`: every call is expensive, because its key is stored as a hash."""

    release: str
    capabilities: tuple[str, ...]
    seconds_per_call: float
    hashed_key: bool
    accounts: int
    enabled: int
    skipped: int

    @classmethod
    def of(cls, test: GatewayTest) -> Self:
        """Show a test."""
        return cls.showing(test)


class TestedGatewayAnswer(Payload):
    """A gateway with the result of its test."""

    gateway: FleetGatewayView
    test: GatewayTestView


class ImportedGatewayView(Payload):
    """Fate of a gateway of a file: add, edit, remove, unchanged, or refused with the problem."""

    name: str
    change: str
    code: str
    problem: str


class GatewayImportAnswer(Payload):
    """Fates of the gateways of a file; with `dryRun` nothing was changed."""

    dry_run: bool
    gateways: tuple[ImportedGatewayView, ...]


class WorkerView(Payload):
    """A worker: most gateways at a time, the numbers of those it works on, and the accounts its memory holds."""

    id: str
    name: str
    version: str
    slots: int
    visits: tuple[int, ...]
    capacity: int
    is_full: bool
    started_at: int
    seen_at: int

    @classmethod
    def of(cls, worker: WorkerRecord) -> Self:
        """Show a worker."""
        return cls.showing(worker)


class WorkersAnswer(Payload):
    """The workers that live, the oldest first."""

    workers: tuple[WorkerView, ...]


def _secret(key: SecretStr | None) -> Secret | None:
    return None if key is None else Secret(key.get_secret_value())
