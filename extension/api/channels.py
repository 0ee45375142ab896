"""`poolkeeper/config/channels`: channels of notifications, and their deliveries."""

from adapter.privacy.secret import Secret
from extension.api.payloads.channels import (
    ChannelChoice,
    ChannelDeliveryView,
    ChannelEdit,
    ChannelRequest,
    ChannelsAnswer,
    ChannelTrial,
    ChannelTrialAnswer,
    ChannelView,
)
from extension.api.routes import Routes
from extension.api.services import Served, Services
from extension.engine.notifications.channels import Channels

route = Routes("config")


@route("GET", "config/channels")
async def read_channels(services: Served) -> ChannelsAnswer:
    """Answer the channels without their addresses, and the newest deliveries."""
    return await _answer(_channels(services))


@route("POST", "config/channels")
async def add(body: ChannelRequest, services: Served) -> ChannelsAnswer:
    """Add a channel; an address that cannot be used is 400 `bad_setting`.

    A channel of kind `apprise` without the Apprise library is 409 `channel_library_missing`.
    """
    channels = _channels(services)
    await channels.add(body.name, body.kind, Secret(body.address.strip()), tuple(body.topics))
    return await _answer(channels)


@route("POST", "config/channels/try")
async def try_address(body: ChannelTrial, services: Served) -> ChannelTrialAnswer:
    """Send one test message to an address that is not stored; it is refused as a channel with it would be."""
    return ChannelTrialAnswer.of(await _channels(services).try_address(body.kind, Secret(body.address.strip())))


@route("POST", "config/channels/edit")
async def edit(body: ChannelEdit, services: Served) -> ChannelsAnswer:
    """Change name, address or topics of a channel; an unknown one is 404 `channel_unknown`."""
    channels = _channels(services)
    address = None if body.address is None else Secret(body.address.strip())
    await channels.edit(body.channel, body.name, address, None if body.topics is None else tuple(body.topics))
    return await _answer(channels)


@route("POST", "config/channels/remove")
async def remove(body: ChannelChoice, services: Served) -> ChannelsAnswer:
    """Remove a channel; an unknown one is 404 `channel_unknown`."""
    channels = _channels(services)
    await channels.remove(body.channel)
    return await _answer(channels)


@route("POST", "config/channels/test")
async def test(body: ChannelChoice, services: Served) -> ChannelDeliveryView:
    """Send one test message to a channel and answer its delivery."""
    return ChannelDeliveryView.of(await _channels(services).test(body.channel))


def _channels(services: Services) -> Channels:
    channels = services.inspector.channels
    if channels is None:
        raise LookupError("The engine was opened without a setup of channels.")
    return channels


async def _answer(channels: Channels) -> ChannelsAnswer:
    return ChannelsAnswer(
        library=channels.has_library(),
        channels=tuple(ChannelView.of(channel) for channel in await channels.all()),
        deliveries=tuple(ChannelDeliveryView.of(delivery) for delivery in await channels.recent()),
    )
