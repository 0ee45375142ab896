"""Upstreams that repeat the key, or send values that no standard foresees: run after run, in both modes."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Final
from urllib.parse import quote

import pytest

from extension.inspection.evidence.attempts import REPEATS_KEY
from tests.adapter.key_forms import FORMS
from tests.attack.hostile_pool import PREFIX, hostile_pool, key_of

pytestmark = pytest.mark.slow

PARTS: Final[dict[str, Callable[[str], str]]] = {
    "eight of it": lambda key: key[16:24],
    "twelve of it": lambda key: key[13:25],
    "the last twelve": lambda key: key[-12:],
}
HIDDEN_IN: Final = {**FORMS, **PARTS}
SURROUNDINGS: Final = "may not use this model"
FORBIDDEN: Final = {"type": "error", "error": {"type": "permission_error"}}
LIMITED: Final = b'{"type":"error","error":{"type":"rate_limit_error","message":"slow down"}}'
WAITS: Final = ("inf", "-5", "nan", "9" * 40, "1e400", "Fri, 31 Dec 9999 23:59:59 GMT", "soon", "", "\u0663")
BOMB_BYTES: Final = 256 * 1024 * 1024
BROTLI_BOMB: Final = bytes.fromhex("cbffff3f002400e2b14072effff8ffff078004401c1680eefd1fffffff00900088c3") * 10
"""The beginning of a packed run of equal bytes, again and again."""
LONG_BYTES: Final = 3 * 1024 * 1024


def sent(status: str, body: bytes, **headers: str) -> bytes:
    lines = [f"HTTP/1.1 {status}", "Content-Type: application/json", f"Content-Length: {len(body)}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "Connection: close", "", ""]).encode() + body


def in_json(message: str) -> bytes:
    body = FORBIDDEN | {"error": {"type": "permission_error", "message": message}}
    return sent("403 Forbidden", json.dumps(body, ensure_ascii=False).encode())


def in_text(message: str) -> bytes:
    return sent("403 Forbidden", message.encode()).replace(b"application/json", b"text/plain; charset=utf-8")


def in_a_header(message: str) -> bytes:
    return sent("403 Forbidden", json.dumps(FORBIDDEN).encode(), X_Request_Id=quote(message, safe=" &#<>{}[]()/*"))


@pytest.mark.parametrize("form", [in_json, in_text, in_a_header])
def test_no_key_is_stored_answered_or_logged_in_any_form(
    mode: str, form: Callable[[str], bytes], tmp_path: Path
) -> None:
    answers = {
        name.replace(" ", "-"): form(f"the key {disguise(key_of(number))} {SURROUNDINGS}")
        for number, (name, disguise) in enumerate(HIDDEN_IN.items())
    }
    with hostile_pool(tmp_path, mode, answers) as pool:
        results = pool.inspect()
        assert results.keys() == answers.keys()
        exported = "".join(pool.exported())
        written = {**pool.written(), "exports": exported}

    assert {name for name, row in results.items() if row["preview"] != REPEATS_KEY} == set()
    assert {place for place, text in written.items() if SURROUNDINGS in text or quote(SURROUNDINGS) in text} == set()
    assert REPEATS_KEY in exported
    leaks = {
        (place, name)
        for number, (name, disguise) in enumerate(HIDDEN_IN.items())
        for piece in (disguise(key_of(number)), key_of(number)[len(PREFIX) :], key_of(number)[13:25])
        for place, text in written.items()
        if piece in text or json.dumps(piece)[1:-1] in text
    }
    assert leaks == set()


def test_odd_waits_and_bombs_end_one_check_each_and_disable_none(mode: str, tmp_path: Path) -> None:
    bomb = gzip.compress(b" " * BOMB_BYTES, compresslevel=9)
    answers = {
        f"wait-{number}": sent("429 Too Many Requests", LIMITED, Retry_After=wait) for number, wait in enumerate(WAITS)
    }
    answers["bomb"] = sent("200 OK", bomb, Content_Encoding="gzip")
    answers["refusing-bomb"] = sent("401 Unauthorized", bomb, Content_Encoding="gzip")
    encodings = {"br": BROTLI_BOMB, "deflate": zlib.compress(b" " * BOMB_BYTES), "gzip, gzip": gzip.compress(bomb)}
    packed = {f"packed-{number}": encoding for number, encoding in enumerate(encodings)}
    for name, encoding in packed.items():
        answers[name] = sent("200 OK", encodings[encoding], Content_Encoding=encoding)
    answers["no-gzip"] = sent("200 OK", b"this is no gzip", Content_Encoding="gzip")
    with hostile_pool(tmp_path, mode, answers) as pool:
        results = pool.inspect()
        entries = pool.client.gateway("GET", "claude-api-key").body["claude-api-key"]
        memory = max(int(line.split()[1]) for line in _status(pool.services[-1].process.pid) if "VmHWM" in line)
        written = pool.written()

    assert {name: row["verdict"] for name, row in results.items()} == {
        **{name: "rate_limited" for name in answers if name.startswith("wait")},
        **dict.fromkeys(("bomb", "refusing-bomb", "no-gzip", *packed), "blocked"),
    }
    assert {name for name in ("bomb", "refusing-bomb") if "decompression bomb" not in str(results[name])} == set()
    assert [label for name, label in packed.items() if f"supported (HTTP 200, {label})" not in str(results[name])] == []
    assert len(entries) == len(answers)
    assert not any(entry.get("excluded-models") for entry in entries), "an entry is switched off"
    assert memory < 400 * 1024
    assert not any("Traceback" in text for place, text in written.items() if place.startswith("log"))


def test_a_success_with_another_body_proves_no_key_however_long_it_is(mode: str, tmp_path: Path) -> None:
    bodies = {
        "blanks": b"{" + b" " * LONG_BYTES + b"}",
        "blanks-in-a-list": b'{"data":[' + b" " * LONG_BYTES + b"]}",
        "brackets": b"[" * LONG_BYTES,
        "filler": b'{"filler":"' + b"x" * LONG_BYTES + b'"}',
        "number": b'{"data":17}',
        "greeting": b'{"status":"ok"}',
    }
    with hostile_pool(tmp_path, mode, {name: sent("200 OK", body) for name, body in bodies.items()}) as pool:
        results = pool.inspect()
    assert {name: row["verdict"] for name, row in results.items()} == dict.fromkeys(bodies, "inconclusive")
    long = [name for name, body in bodies.items() if len(body) >= LONG_BYTES]
    assert [name for name in long if "longer than 1 MiB" not in str(results[name])] == []


def _status(process: int) -> list[str]:
    return Path(f"/proc/{process}/status").read_text("ascii").splitlines()
