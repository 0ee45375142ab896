"""`poolkeeper/pool/sign-in`: sessions of OAuth accounts, renewed by a person at the vendor."""

from typing import Annotated

from pydantic import Field, SecretStr

from adapter.port import GatewayError
from adapter.privacy.secret import Secret
from extension.api.auth.authenticator import Asking
from extension.api.payloads.actions import ActionView
from extension.api.payloads.payload import Payload, RowId
from extension.api.routes import Routes
from extension.api.services import Served, Services
from extension.engine.dispatch.commands import CommandKind
from extension.engine.dispatch.port import CommandPending
from extension.engine.errors import EngineError
from extension.inspection.accounts.account import Source
from extension.inspection.settings import parse_settings

_State = Annotated[SecretStr, Field(min_length=1, max_length=500)]


class AccountSignInRequest(Payload):
    """The account to sign in."""

    account: RowId


class SignInAnswer(Payload):
    """A sign-in that waits at `url`: `action` is its record, `state` its secret name, which the next requests repeat.

    `userCode` is the code to compare or type there, if any. With `takesCallback` the address at which the vendor ended
    can be handed over, where the browser runs on another machine than the gateway.
    """

    action: int
    url: str
    state: str
    user_code: str
    takes_callback: bool


class SignInNamed(Payload):
    """A sign-in that waits."""

    action: RowId
    state: _State

    @property
    def secret(self) -> Secret:
        """Secret name of the sign-in."""
        return Secret(self.state.get_secret_value())


class CallbackRequest(SignInNamed):
    """A sign-in, and the address at which the vendor ended."""

    callback: Annotated[SecretStr, Field(min_length=1, max_length=8_000)]


class SignInStateAnswer(Payload):
    """A sign-in: its record, whether it still waits, and the run that checks the account that signed in.

    `run` is null without one: before the end, after a failure, and while another run is active.
    """

    action: ActionView
    waiting: bool
    run: int | None


route = Routes("pool")


@route("POST", "pool/sign-in", status_code=201)
async def begin(body: AccountSignInRequest, services: Served, asking: Asking) -> SignInAnswer:
    """Begin the sign-in of an OAuth account; where the gateway has no address for it: 501, code `unsupported`."""
    action, begun = await services.inspector.sign_ins.begin(body.account, asking.actor)
    secret = {"url": begun.url.reveal(), "state": begun.state.reveal()}
    return SignInAnswer(action=action.id, user_code=begun.user_code, takes_callback=begun.takes_callback, **secret)


@route("POST", "pool/sign-in/state")
async def follow(body: SignInNamed, services: Served, asking: Asking) -> SignInStateAnswer:
    """Answer the progress of a sign-in; at its end the account that signed in is checked.

    Where the gateway has stored the session in the file of another account, the action has failed and names it.
    """
    return await _followed(services, asking.actor, body)


@route("POST", "pool/sign-in/callback")
async def hand_over(body: CallbackRequest, services: Served, asking: Asking) -> SignInStateAnswer:
    """Hand over the address at which the vendor ended, and answer the progress; another one is 400 `callback_unfit`."""
    return await _followed(services, asking.actor, body, Secret(body.callback.get_secret_value().strip()))


@route("POST", "pool/sign-in/cancel")
async def cancel(body: SignInNamed, services: Served) -> SignInStateAnswer:
    """End a sign-in that waits; one that has ended stays as it is."""
    action = await services.inspector.sign_ins.cancel(body.action, body.secret)
    return SignInStateAnswer(action=ActionView.showing(action), waiting=False, run=None)


async def _followed(
    services: Services, actor: str, body: SignInNamed, callback: Secret | None = None
) -> SignInStateAnswer:
    result = await services.inspector.sign_ins.follow(body.action, body.secret, callback)
    run = await _check(services, actor, result.accounts) if result.accounts else None
    return SignInStateAnswer(action=ActionView.showing(result.action), waiting=result.is_waiting, run=run)


async def _check(services: Services, actor: str, accounts: tuple[int, ...]) -> int | None:
    """Start a check of accounts that changes nothing by itself; None where none can start now."""
    settings = parse_settings({"accountSource": Source.OAUTH.value}).as_stored()
    try:
        return (await services.ask_for_run(CommandKind.START, actor, settings=settings, only=list(accounts))).id
    except (EngineError, GatewayError, CommandPending):
        return None
