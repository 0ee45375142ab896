"""`poolkeeper/config/client-keys`: client keys of the gateway, created, revoked and brought back."""

from contextlib import suppress

from adapter.port import Capability, GatewayError
from extension.api.auth.authenticator import Asking
from extension.api.payloads.client_keys import (
    ClientKeysAnswer,
    ClientKeyView,
    KeyActionAnswer,
    KeyActionChoice,
    KeyActionView,
    KeyChoice,
    NewKeyAnswer,
    NewKeyRequest,
)
from extension.api.routes import Routes
from extension.api.services import Served, Services
from extension.engine.client_keys.client_keys import ClientKeys
from extension.engine.dispatch.commands import CommandKind
from extension.engine.dispatch.port import CommandPending
from extension.engine.prices.errors import AliasUnknown
from extension.store.client_keys import KeyActionRecord

route = Routes("config")


@route("GET", "config/client-keys")
async def read_client_keys(services: Served) -> ClientKeysAnswer:
    """Answer the client keys of the gateway by fingerprint and hint, and what was done with them."""
    client_keys = _client_keys(services)
    supported: bool | None
    try:
        supported = Capability.CLIENT_KEYS in (await services.gateway.describe()).capabilities
        keys = await client_keys.listed() if supported else ()
    except GatewayError:
        supported, keys = None, ()
    actions, undoable = await client_keys.history()
    return ClientKeysAnswer(
        supported=supported,
        keys=tuple(ClientKeyView.showing(key) for key in keys),
        actions=tuple(map(KeyActionView.of, actions)),
        undoable=tuple(sorted(undoable)),
    )


@route("POST", "config/client-keys")
async def create(body: NewKeyRequest, services: Served, asking: Asking) -> NewKeyAnswer:
    """Create a client key, and answer it this once. An alias of another key is 409 `alias_taken`.

    A gateway that would drop parts of its configuration with the write is 409 `client_key_write_drops`.
    """
    client_keys = _client_keys(services)
    new, alias = await client_keys.prepare(), (body.alias or "").strip()
    action: KeyActionRecord | None = None
    try:
        if alias:
            await services.aliases.put(new.fingerprint, alias, asking.actor)
        action = await services.ask_for_key_action(
            CommandKind.CREATE_KEY, asking.actor, document=new.document, reason=body.reason
        )
    except CommandPending:
        pass
    except Exception:
        await client_keys.discard(new)
        with suppress(AliasUnknown):
            await services.aliases.remove(new.fingerprint)
        raise
    view = None if action is None else KeyActionView.of(action)
    return NewKeyAnswer(key=new.key.reveal(), fingerprint=new.fingerprint, action=view)


@route("POST", "config/client-keys/revoke")
async def revoke(body: KeyChoice, services: Served, asking: Asking) -> KeyActionAnswer:
    """Revoke a client key: the gateway refuses it from now on, and undo brings it back within 30 days.

    An unknown one is 404 `client_key_unknown`. The last one is 409 `last_client_key`: without any the gateway serves
    everybody.
    """
    arguments = {"fingerprint": body.fingerprint, "reason": body.reason}
    return KeyActionAnswer.of(await services.ask_for_key_action(CommandKind.REVOKE_KEY, asking.actor, **arguments))


@route("POST", "config/client-keys/undo")
async def undo(body: KeyActionChoice, services: Served, asking: Asking) -> KeyActionAnswer:
    """Take back the last action on a client key; any other is 409 `undo_refused`."""
    return KeyActionAnswer.of(await services.ask_for_key_action(CommandKind.UNDO_KEY, asking.actor, action=body.action))


def _client_keys(services: Services) -> ClientKeys:
    if services.inspector.client_keys is None:
        raise LookupError("The engine was opened without a setup of client keys.")
    return services.inspector.client_keys
