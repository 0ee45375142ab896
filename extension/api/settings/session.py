"""`poolkeeper/info/session`: the page exchanges the management key for a session, keeps it, and ends it."""

from fastapi import APIRouter, Request, Response

from adapter.privacy.secret import Secret
from extension.api.auth.authenticator import COOKIE, admit, session_tokens
from extension.api.auth.sessions import SignIn
from extension.api.paths import Paths
from extension.api.payloads.payload import ProblemView
from extension.api.payloads.service import SessionAnswer, SignInRequest
from extension.api.services import Served


def routes(paths: Paths) -> APIRouter:
    """Make the routes of this resource."""
    router = APIRouter(tags=["session"])
    router.add_api_route(paths.session, read_session, methods=["GET"], response_model=SessionAnswer)
    router.add_api_route(
        paths.session,
        sign_in,
        methods=["POST"],
        response_model=SessionAnswer,
        responses={409: {"model": ProblemView, "description": "Loaded as a plugin, the service opens no session."}},
    )
    router.add_api_route(paths.session, sign_out, methods=["DELETE"], status_code=204, response_model=None)
    return router


async def read_session(request: Request, services: Served) -> SessionAnswer:
    """Answer the session the cookie belongs to, 401 when there is none."""
    return _answer(await services.authenticator.session(request, unsafe=False))


async def sign_in(body: SignInRequest, request: Request, response: Response, services: Served) -> SessionAnswer:
    """Exchange the management key for a session.

    The gateway judges the key on the address of the TCP connection and counts wrong ones: its answer
    (401, or 403 with Retry-After once it has locked the address out) is passed on. A session the browser already
    had ends. Loaded as a plugin, the service opens none (409 `no_sessions`): send the key with each request.
    """
    authenticator = services.authenticator
    authenticator.require_sessions(request)
    await admit(authenticator.gateway, Secret(body.key.get_secret_value()), request)
    for token in session_tokens(request):
        authenticator.sessions.close(token)
    login = authenticator.sessions.open(await authenticator.key_fingerprint.now())
    await authenticator.sessions.store()
    lifetime = -((services.clock.now_ms() - login.expires_at) // 1000)
    secure = services.secure_cookies.apply_to(request)
    for path in Paths.under(services.prefix).of_session:
        response.set_cookie(
            COOKIE, login.token, max_age=lifetime, httponly=True, samesite="strict", secure=secure, path=path
        )
    return _answer(login)


async def sign_out(request: Request, response: Response, services: Served) -> None:
    """End the session; needs its CSRF token, like every unsafe request by session."""
    login = await services.authenticator.session(request, unsafe=True)
    services.authenticator.sessions.close(login.token)
    await services.authenticator.sessions.store()
    secure = services.secure_cookies.apply_to(request)
    for path in Paths.under(services.prefix).of_session:
        response.delete_cookie(COOKIE, httponly=True, samesite="strict", secure=secure, path=path)


def _answer(login: SignIn) -> SessionAnswer:
    return SessionAnswer(csrf=login.csrf, expires_at=login.expires_at)
