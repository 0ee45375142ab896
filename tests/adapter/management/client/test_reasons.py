"""Failures of a connection in words."""

import ssl

from aiohttp import ClientConnectorCertificateError, ClientConnectorSSLError
from aiohttp.client_reqrep import ConnectionKey

from adapter.management.client.http import reason_of
from adapter.management.client.interpreting import lost
from adapter.management.client.transport import UNTRUSTED, Request, TransportFailure
from adapter.port.errors import Untrusted
from extension.api.problems import problem_of

KEY = ConnectionKey("127.0.0.1", 8317, is_ssl=True, ssl=True, proxy=None, proxy_auth=None, proxy_headers_hash=None)


def test_a_certificate_that_is_not_trusted_is_no_gateway_without_tls() -> None:
    refused = reason_of(ClientConnectorCertificateError(KEY, ssl.SSLCertVerificationError("self-signed")))
    other = reason_of(ClientConnectorSSLError(KEY, ssl.SSLError("wrong version number")))

    assert "certificate is not trusted" in refused
    assert "SSL_CERT_FILE" in refused
    assert "perhaps it speaks http" in other


def test_an_untrusted_certificate_is_an_error_of_its_own_and_no_gateway_that_does_not_run() -> None:
    failure = TransportFailure(UNTRUSTED, sent=False)

    error = lost(Request("GET", "/"), failure, "https://gateway.example:1")
    problem = problem_of(error)

    assert isinstance(error, Untrusted)
    assert "running" not in error.text
    assert (problem.status, problem.view.code) == (503, "gateway_untrusted")
    assert "SSL_CERT_FILE" in problem.view.hint
