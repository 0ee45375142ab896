"""A host for the library in place of a gateway: the C functions, at any schema.

Usage: python loader.py LIBRARY SCHEMA CONFIG, where CONFIG is the plugin's part of a configuration. Prints the answer
to register and, when the process is there, the answer to one request, as one line of JSON each.
"""

import base64
import ctypes
import json
import sys
import threading
import time
from collections.abc import Mapping
from typing import Any

PATIENCE = 30.0


class _Buffer(ctypes.Structure):
    _fields_ = (("pointer", ctypes.c_void_p), ("length", ctypes.c_size_t))


_BufferPointer = ctypes.POINTER(_Buffer)
_HostCall = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p, ctypes.c_size_t, _BufferPointer
)
_Free = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_size_t)
_PluginCall = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_size_t, _BufferPointer)
_Shutdown = ctypes.CFUNCTYPE(None)


class _Host(ctypes.Structure):
    _fields_ = (
        ("version", ctypes.c_uint32),
        ("context", ctypes.c_void_p),
        ("call", _HostCall),
        ("free", _Free),
    )


class _Plugin(ctypes.Structure):
    _fields_ = (
        ("version", ctypes.c_uint32),
        ("call", _PluginCall),
        ("free", _Free),
        ("shutdown", _Shutdown),
    )


class LoadedLibrary:
    """The library in this process; every callback to the host is refused."""

    def __init__(self, path: str) -> None:
        self._functions = (_HostCall(lambda *_: 1), _Free(lambda *_: None))
        self._host = _Host(1, None, *self._functions)
        self._plugin = _Plugin()
        library = ctypes.CDLL(path)
        assert library.cliproxy_plugin_init(ctypes.byref(self._host), ctypes.byref(self._plugin)) == 0

    def call(self, method: str, request: Mapping[str, object]) -> Any:
        """Call one method; return its result."""
        sent, answer = json.dumps(request).encode(), _Buffer()
        assert self._plugin.call(method.encode(), sent, len(sent), ctypes.byref(answer)) == 0
        envelope = json.loads(ctypes.string_at(answer.pointer, answer.length))
        self._plugin.free(answer.pointer, answer.length)
        assert envelope["ok"], envelope
        return envelope["result"]

    def shut_down(self) -> None:
        """End its threads."""
        self._plugin.shutdown()


def main() -> None:
    library = LoadedLibrary(sys.argv[1])
    config = base64.b64encode(sys.argv[3].encode()).decode()
    registered = library.call("plugin.register", {"schema_version": int(sys.argv[2]), "config_yaml": config})
    library.call("management.register", {})
    request: dict[str, object] = {
        "Method": "GET",
        "Path": "/v0/management/poolkeeper/info",
        "Headers": {},
        "Query": {},
        "Body": None,
    }
    limit, answer = time.monotonic() + PATIENCE, {"StatusCode": 503}
    while answer["StatusCode"] == 503 and time.monotonic() < limit:
        answer = library.call("management.handle", request)
        threading.Event().wait(0.05)
    library.shut_down()
    print(json.dumps(registered))  # noqa: T201 - the result
    print(json.dumps(answer))  # noqa: T201 - the result


if __name__ == "__main__":
    main()
