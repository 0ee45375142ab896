"""`poolkeeper/info`, `info/session`, `config` and `config/automation`: the service itself."""

from fastapi import Request, Response

from adapter.contract.expectations import PAGE
from adapter.port.errors import Banned
from adapter.privacy.secret import Secret
from extension.api.auth.authenticator import ADMITTED_BY_HOST, COOKIE, Asking, session_tokens
from extension.api.auth.refusals import no_session_opened
from extension.api.auth.sessions import SignIn
from extension.api.paths import Paths
from extension.api.payloads.payload import ProblemView
from extension.api.payloads.service import (
    AutomationAnswer,
    AutomationRequest,
    ConfigAnswer,
    FamilyView,
    GatewayView,
    InfoAnswer,
    SessionAnswer,
    SignInRequest,
    VerdictView,
)
from extension.api.problems import problem_of
from extension.api.routes import Routes
from extension.api.services import Entered, Served
from extension.inspection.accounts.families import FAMILIES, LABELS, Family
from extension.inspection.evidence.verdict_table import VERDICTS
from extension.inspection.settings import InspectionSettings

NAME = "poolkeeper"
PAGE_OF_HOST = "poolkeeper.page"
"""Extension in the ASGI scope of a request that a host of plugins relays: the path of the page there."""


route = Routes("info")


@route("GET", "info")
async def read_info(services: Served, request: Request) -> InfoAnswer:
    """Answer names, versions, and the tables behind the legend of the page."""
    about = await services.gateway.describe()
    refusal = services.gateway.refusal()
    return InfoAnswer(
        name=NAME,
        version=services.version,
        prefix=services.prefix,
        page=request.scope.get("extensions", {}).get(PAGE_OF_HOST, {}).get("path", PAGE),
        fleet=services.fleet is not None,
        gateway=GatewayView.showing(
            about,
            capabilities=tuple(sorted(about.capabilities)),
            refusal=None if refusal is None else problem_of(refusal).view.code,
            refused_until=refusal.until if isinstance(refusal, Banned) else None,
        ),
        families=_families(),
        verdicts=tuple(
            VerdictView(token=verdict.value, label=row.label, meaning=row.meaning) for verdict, row in VERDICTS.items()
        ),
    )


def _families() -> tuple[FamilyView, ...]:
    rows = ((family, row.label, row.public_address is not None) for family, row in FAMILIES.items())
    return tuple(
        FamilyView(token=family.value, label=label, public_address=public)
        for family, label, public in ((Family.ALL, LABELS[Family.ALL], False), *rows)
    )


@route("GET", "info/session", tag="session")
async def read_session(request: Request, services: Entered) -> SessionAnswer:
    """Answer the session the cookie belongs to, 401 when there is none."""
    return _answer(await services.authenticator.session(request, unsafe=False))


@route(
    "POST",
    "info/session",
    tag="session",
    responses={409: {"model": ProblemView, "description": "Loaded as a plugin, the service opens no session."}},
)
async def sign_in(body: SignInRequest, request: Request, response: Response, services: Entered) -> SessionAnswer:
    """Exchange the management key for a session.

    The gateway judges the key on the address of the TCP connection and counts wrong ones: its answer
    (401, or 403 with Retry-After once it has locked the address out) is passed on. A session the browser already
    had ends. Loaded as a plugin, the service opens none (409 `no_sessions`): send the key with each request.
    """
    authenticator = services.authenticator
    if ADMITTED_BY_HOST in request.scope.get("extensions", {}):
        raise no_session_opened()  # no request of theirs would use it
    mark = await authenticator.mark_of(Secret(body.key.get_secret_value()), request)
    for token in session_tokens(request):
        authenticator.sessions.close(token)
    login = authenticator.sessions.open(mark)
    await authenticator.sessions.store()
    lifetime = -((services.clock.now_ms() - login.expires_at) // 1000)
    secure = services.secure_cookies.apply_to(request)
    for path in Paths(services.prefix).of_session:
        response.set_cookie(
            COOKIE, login.token, max_age=lifetime, httponly=True, samesite="strict", secure=secure, path=path
        )
    return _answer(login)


@route("DELETE", "info/session", tag="session", status_code=204)
async def sign_out(request: Request, response: Response, services: Entered) -> None:
    """End the session; needs its CSRF token, like every unsafe request by session."""
    login = await services.authenticator.session(request, unsafe=True)
    services.authenticator.sessions.close(login.token)
    await services.authenticator.sessions.store()
    secure = services.secure_cookies.apply_to(request)
    for path in Paths(services.prefix).of_session:
        response.delete_cookie(COOKIE, httponly=True, samesite="strict", secure=secure, path=path)


def _answer(login: SignIn) -> SessionAnswer:
    return SessionAnswer(csrf=login.csrf, expires_at=login.expires_at)


@route("GET", "config", tag="config")
async def read_config(services: Served) -> ConfigAnswer:
    """Answer the service's effective settings and the defaults of an inspection."""
    return ConfigAnswer(settings=dict(services.settings), inspection_defaults=InspectionSettings().as_stored())


@route("GET", "config/automation", tag="config")
async def read_automation(services: Served) -> AutomationAnswer:
    """Answer whether all automation is paused."""
    return AutomationAnswer.of(await services.inspector.automation.status())


@route("POST", "config/automation", tag="config")
async def change_automation(body: AutomationRequest, services: Served, asking: Asking) -> AutomationAnswer:
    """Pause all automation, in a run in progress too, or let it act again.

    While it is paused, runs put their automatic actions on hold. Actions of people are carried out.
    """
    automation = services.inspector.automation
    if body.paused:
        return AutomationAnswer.of(await automation.pause(asking.actor))
    await automation.resume()
    return AutomationAnswer.of(None)
