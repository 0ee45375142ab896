"""Odd requests, made by chance: methods, targets, headers, bodies and encodings that no client would send."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from random import Random
from typing import Final

METHODS: Final = tuple(b"GET GET POST POST PUT PATCH DELETE HEAD OPTIONS TRACE CONNECT".split())
ODD_METHODS: Final = (b"get", b"PRI", b"FOO-BAR", b"G\xc3\x89T", b"G ET", b"", b"\x00", b"M" * 300)
MANAGEMENT_NAMES: Final = (
    "config", "config.yaml", "debug", "api-keys", "auth-files", "auth-files/status", "auth-files/download",
    "gemini-api-key", "claude-api-key", "codex-api-key", "vertex-api-key", "openai-compatibility", "api-call",
    "oauth-callback", "usage", "usage-queue", "api-key-usage", "reset-quota", "vertex/import", "proxy-url",
    "request-retry", "max-retry-interval", "oauth-excluded-models", "oauth-model-alias", "get-auth-status",
    "anthropic-auth-url", "codex-auth-url", "logs", "request-log", "ws-auth", "latest-version", "plugins",
    "quota-exceeded/switch-project", "poolkeeper", "poolkeeper/info", "poolkeeper/pool", "poolkeeper/inspections",
    "poolkeeper/inspections/events", "poolkeeper/info/session", "no-such-path",
)  # fmt: skip
INFERENCE: Final = (
    "/", "/healthz", "/management.html", "/v1/models", "/v1/chat/completions", "/v1/completions", "/v1/messages",
    "/v1/messages/count_tokens", "/v1/responses", "/v1beta/models", "/v1beta/models/gemini-2.5-pro:generateContent",
    "/v1beta/models/x:streamGenerateContent", "/v1beta/models/:", "/v1internal:generateContent",
    "/api/provider/x/v1/models",
)  # fmt: skip
ODD_TARGETS: Final = (
    "*", "//", "/%", "/%zz", "/..%2f..%2fetc/passwd", "/../../etc/passwd", "/%00", "/\u00fc",
    "http://other.invalid/v1/models",
    "/v0/management/../management/config", "/v0/management//config", "/v0/management/config/", "/V0/MANAGEMENT/config",
    "/v0/management/%70oolkeeper/info", "/v1/models;a=b", "/" + "a" * 9_000, "/v0/management/" + "%2e" * 500,
    "v1/models", "?", "#",
)  # fmt: skip
QUERIES: Final = (
    "", "", "", "?", "?index=-1", "?index=99999999999999999999999", "?name=..%2f..%2fetc%2fpasswd", "?name=%00",
    "?value=%ff%fe", "?count=1e309", "?key=wrong", "?limit=NaN&limit=-0", "?a=1&a=2&=&&&", "?" + "x=y&" * 900,
    "?state=%F0%9F%92%A9&code=x&error=%0d%0aX:%20y", "?auth_index=0x10", "?after=9223372036854775808",
)  # fmt: skip
TEXTS: Final = (
    b"", b"{", b"null", b"[]", b"{}", b'""', b"1e999", b"NaN", b'{"value":null}', b'{"value":[]}',
    b'{"value":{"a":{}}}',
    b'{"value":-1e400}', b'{"index":1.5,"value":{}}', b'{"index":"0","match":7}',
    b'{"name":"../x","disabled":"maybe"}',
    b'{"model":1,"messages":"x"}', b'{"model":"no-such","messages":[{"role":"user","content":[[[]]]}]}',
    b'{"model":"no-such","stream":"yes","input":[{}]}', b'{"contents":[{"parts":null}]}', b'{"a":1,"a":2}',
    b"\xff\xfe{\x00}\x00", b"\xef\xbb\xbf{}", b"\x00" * 100, b"[" * 5_000, b'{"a":' * 3_000, b'{"\\ud800":"\\udfff"}',
    b'{"method":"GET","url":"http://[::1","header":{"a\\r\\nb":"c"}}', b'{"method":"G T","url":"ftp://x"}',
    b'{"url":"http://127.0.0.1:9/","data":7,"auth_index":{}}', b'{"key":"wrong"}', b"a: &a [*a, *a]", b"%PDF-1.4",
    b"--x\r\nContent-Disposition: form-data; name=file; filename=../../x.json\r\n\r\n{}\r\n--x--\r\n",
    b'{"n":' + b"9" * 5_000 + b"}",
)  # fmt: skip
KINDS: Final = (
    b"", b"application/json", b"application/json; charset=utf-99", b"application/yaml",
    b"multipart/form-data; boundary=x",
    b"multipart/form-data", b"application/x-www-form-urlencoded", b"text/event-stream", b"a/b;" + b"c=d;" * 200,
    b"\xff/\xfe",
)  # fmt: skip
HEADERS: Final = (
    b"Expect: 100-continue", b"Expect: nonsense", b"Connection: close, x",
    b"Connection: Upgrade\r\nUpgrade: websocket",
    b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__", b"Range: bytes=9-1",
    b"If-None-Match: \xff, W/", b"Cookie: " + b"poolkeeper_session=x; " * 30, b"Cookie: =;;;=",
    b"Accept: text/event-stream",
    b"Accept-Encoding: \x80, gzip;q=nan", b"X-Forwarded-For: ::ffff:1.2.3.4, not-an-address",
    b"X-Forwarded-Proto: gopher",
    b"Sec-Fetch-Site: cross-site", b"Origin: null", b"Authorization: Basic \xff", b"Authorization: Bearer ",
    b"X-Goog-Api-Key: \t", b"Content-Encoding: gzip", b"Content-Encoding: zstd, br, x", b"X: " + b"\xe9" * 2_000,
    b"Bad Name: 1",
    b": no name", b"no colon", b" folded: line", b"Content-Length: 5", b"Content-Length: -1", b"Content-Length: 0x10",
    b"Content-Length: 99999999999999999999", b"Transfer-Encoding: chunked", b"Transfer-Encoding: chunked, identity",
    b"Transfer-Encoding: \x0bchunked", b"Host: a\r\nHost: b", b"Host: [::1", b"Last-Event-ID: -9e9",
    b"Upgrade-Insecure-Requests: 1",
)  # fmt: skip
VERSIONS: Final = (
    *[b"HTTP/1.1"] * 100, b"HTTP/1.0", b"HTTP/0.9", b"HTTP/2.0", b"HTTP/9.9", b"http/1.1", b"", b"HTTP/1.1 x"
)  # fmt: skip


def odd_request(chance: Random, keys: Sequence[bytes]) -> bytes:
    """Return one to three requests in a row, the last of them cut off at times; `keys` are headers with a key."""
    count = chance.choice((1, 1, 1, 1, 2, 3))
    data = b"".join(_single(chance, keys, last=number == count - 1) for number in range(count))
    return data[: chance.randrange(1, len(data))] if chance.random() < 0.1 else data


def _single(chance: Random, keys: Sequence[bytes], *, last: bool) -> bytes:
    method = chance.choice(ODD_METHODS) if chance.random() < 0.05 else chance.choice(METHODS)
    version = chance.choice(VERSIONS)
    lines = [b" ".join((method, _target(chance).encode("utf-8", "surrogatepass"), version))]
    lines += [b"Host: h"] * (chance.random() < 0.95)
    lines += [chance.choice(keys)] * (chance.random() < 0.9)
    lines += [chance.choice(HEADERS) for _ in range(chance.choice((0, 0, 0, 0, 1, 1, 2)))]
    body = _body(chance)
    if kind := chance.choice(KINDS):
        lines.append(b"Content-Type: " + kind)
    if chance.random() < 0.15:
        lines.append(b"Transfer-Encoding: chunked")
        body = chance.choice((b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body), b"zz\r\n" + body, b"fffffffff\r\n" + body))
    elif body or chance.random() < 0.3:
        lines.append(b"Content-Length: %d" % (len(body) if chance.random() < 0.9 else chance.randrange(20)))
    lines += [b"Connection: close"] * last
    return (b"\n" if chance.random() < 0.02 else b"\r\n").join([*lines, b"", b""]) + body


def _target(chance: Random) -> str:
    luck = chance.random()
    if luck < 0.1:
        return chance.choice(ODD_TARGETS)
    path = chance.choice(INFERENCE) if luck < 0.45 else f"/v0/management/{chance.choice(MANAGEMENT_NAMES)}"
    return path + chance.choice(QUERIES)


def _body(chance: Random) -> bytes:
    luck = chance.random()
    if luck < 0.3:
        return b""
    if luck < 0.4:
        return chance.randbytes(chance.randrange(1, 400))
    text = chance.choice(TEXTS)
    if luck < 0.45:
        return gzip.compress(text, mtime=0)
    return text[: chance.randrange(len(text) + 1)] if luck < 0.5 else text
