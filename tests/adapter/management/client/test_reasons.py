"""Failures of a connection in words."""

import ssl

from aiohttp import ClientConnectorCertificateError, ClientConnectorSSLError
from aiohttp.client_reqrep import ConnectionKey

from adapter.management.client.http import reason_of

KEY = ConnectionKey("127.0.0.1", 8317, is_ssl=True, ssl=True, proxy=None, proxy_auth=None, proxy_headers_hash=None)


def test_a_certificate_that_is_not_trusted_is_no_gateway_without_tls() -> None:
    refused = reason_of(ClientConnectorCertificateError(KEY, ssl.SSLCertVerificationError("self-signed")))
    other = reason_of(ClientConnectorSSLError(KEY, ssl.SSLError("wrong version number")))

    assert "certificate is not trusted" in refused
    assert "SSL_CERT_FILE" in refused
    assert "perhaps it speaks http" in other
