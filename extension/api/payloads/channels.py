"""Channels of notifications, in requests and answers."""

from typing import Annotated, Self

from pydantic import Field

from extension.api.payloads.payload import Payload, ReasonView, RowId
from extension.engine.notifications.channels import Channel, Sent
from extension.engine.notifications.messages import Topic
from extension.store.notifications.channels import ChannelKind
from extension.store.notifications.deliveries import DeliveryRecord

ChannelName = Annotated[str, Field(min_length=1, max_length=100)]
ChannelAddress = Annotated[str, Field(min_length=1, max_length=2000)]
Topics = Annotated[tuple[Topic, ...], Field(max_length=len(Topic))]
"""Kinds of events a channel reports; none: all of them."""


class ChannelRequest(Payload):
    """A new channel.

    Its `address` is one of the Apprise library, such as `tgram://…` or `mailto://…`, or under the kind `json` a URL
    that gets each message as JSON in a POST.
    """

    name: ChannelName
    kind: ChannelKind = ChannelKind.APPRISE
    address: Annotated[ChannelAddress, Field(repr=False)]
    topics: Topics = ()


class ChannelTrial(Payload):
    """An address that gets one test message, without a channel."""

    kind: ChannelKind = ChannelKind.APPRISE
    address: Annotated[ChannelAddress, Field(repr=False)]


class ChannelTrialAnswer(Payload):
    """Result of a test message; `problem` is empty where it was taken."""

    taken: bool
    problem: str
    problems: tuple[ReasonView, ...]

    @classmethod
    def of(cls, sent: Sent) -> Self:
        """Show the result of a delivery."""
        return cls.showing(sent)


class ChannelEdit(Payload):
    """Changes of a channel; what is left out stays."""

    channel: RowId
    name: ChannelName | None = None
    address: Annotated[ChannelAddress | None, Field(repr=False)] = None
    topics: Topics | None = None


class ChannelChoice(Payload):
    """The channel that a command is for."""

    channel: RowId


class ChannelDeliveryView(Payload):
    """A delivery to a channel; `problem` is empty where it was taken. `at` is milliseconds UTC."""

    channel: int
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
        return cls.showing(record)


class ChannelView(Payload):
    """A channel.

    Of its address only the `scheme` is answered, because the rest may be a token, and as `host` scheme and host under
    the kind `json`.
    """

    id: int
    name: str
    kind: str
    scheme: str
    host: str
    topics: tuple[str, ...]
    last: ChannelDeliveryView | None

    @classmethod
    def of(cls, channel: Channel) -> Self:
        """Show a channel."""
        return cls.showing(channel, last=ChannelDeliveryView.of(channel.last) if channel.last else None)


class ChannelsAnswer(Payload):
    """All channels, and the newest deliveries, newest first. Without the `library` there are webhooks alone."""

    library: bool
    channels: tuple[ChannelView, ...]
    deliveries: tuple[ChannelDeliveryView, ...]
