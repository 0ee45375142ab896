"""Front of the plugin process: the page at all times, everything else by the service of the moment."""

from dataclasses import dataclass

from starlette.types import ASGIApp, Receive, Scope, Send

from adapter.clock import Clock
from extension.plugin.leased_service import LeasedService
from extension.plugin.routes import page_path
from extension.serving.web.headers import FRAMED_SECURITY_HEADERS, Headers
from extension.serving.web.page import claims_page, page_application


class _HostHoldsKey:
    """Fingerprint of the key of a host; a host without a management key passes no request on."""

    async def now(self) -> str:
        """Return a constant: the host judges keys."""
        return "host"

    async def admits(self, _peer: str) -> bool:
        """Return true: the host judges addresses."""
        return True


@dataclass(frozen=True, slots=True)
class Front:
    """Hands requests on (ASGI): the page to itself, the rest to the service.

    The page does not depend on the service, so that it can say why that is not open, and a disabled plugin finds out
    that it is enabled again.
    """

    page: ASGIApp
    service: LeasedService

    @classmethod
    def of(cls, service: LeasedService, clock: Clock, *, prefix: str, resource_base: str) -> "Front":
        """Make the front for a host with pages at `resource_base`."""
        page = page_application(prefix, _HostHoldsKey(), page=page_path(resource_base), keyed=True)
        return cls(Headers(page, clock, FRAMED_SECURITY_HEADERS), service)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        application = self.page if claims_page(scope["path"]) else self.service.application
        await application(scope, receive, send)
