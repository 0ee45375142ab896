"""The surface of a gateway: its routes and configuration keys, however they were found. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from ..errors import ToolError

SCHEMA = 1
_PARAMETER = re.compile(r"\{[^}/]*\}|(?<=/)[:*][^/]*")


@dataclass(frozen=True)
class Surface:
    """Routes and keys.

    Attributes:
        routes: for each path, parameters as `{}`, the methods it answers to.
        keys: configuration keys, dots between levels, `[]` for the items of a list, `*` for any name.
        conditional: for method and path, the condition under which alone the source registers the route.
        refused: for method and path, the answer of a handler that only ever refuses.
        unread: registrations whose path the source computes, among which a route that seems gone may be.
        slashed: method and path of each route that is registered only with a slash at its end.
        key_types: for each key whose type the source says, the type in YAML's words.
    """

    routes: Mapping[str, frozenset[str]] = field(default_factory=dict)
    keys: frozenset[str] = frozenset()
    conditional: Mapping[tuple[str, str], str] = field(default_factory=dict)
    refused: Mapping[tuple[str, str], str] = field(default_factory=dict)
    key_types: Mapping[str, str] = field(default_factory=dict)
    slashed: frozenset[tuple[str, str]] = frozenset()
    unread: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        routes: Iterable[tuple[str, str]],
        keys: Iterable[str] | Mapping[str, str] = (),
        conditions: Mapping[tuple[str, str], str] = MappingProxyType({}),
        refusals: Mapping[tuple[str, str], str] = MappingProxyType({}),
    ) -> Surface:
        """Gather method and path of every route, with conditions, refusals and types of keys where they are known."""
        gathered: dict[str, set[str]] = {}
        slashed: dict[tuple[str, str], bool] = {}
        for method, path in routes:
            route = (method.upper(), normal_path(path))
            gathered.setdefault(route[1], set()).add(route[0])
            slashed[route] = slashed.get(route, True) and path.endswith("/") and path != "/"
        conditional, refused = (
            {(method.upper(), normal_path(path)): text for (method, path), text in texts.items()}
            for texts in (conditions, refusals)
        )
        offered = {path: frozenset(one) for path, one in sorted(gathered.items())}
        types = {key: kind for key, kind in keys.items() if kind} if isinstance(keys, Mapping) else {}
        only = frozenset(route for route, one in slashed.items() if one)
        return cls(offered, frozenset(keys), conditional, refused, types, only)

    def near(self, path: str) -> list[str]:
        """The routes that share the path's parent, as lines `METHOD,METHOD path`; the parent itself comes first."""
        parent = path.rpartition("/")[0]
        sharing = [one for one in self.routes if one == parent or one.rpartition("/")[0] == parent]
        return [f"{','.join(sorted(self.routes[one]))} {one}" for one in sharing]


def normal_path(path: str) -> str:
    """The path with each parameter as `{}` (whatever it is called, in either style) and no slash at its end."""
    return _PARAMETER.sub("{}", path).rstrip("/") or "/"


def parse_surface(text: str, what: str) -> Surface:
    """Read the JSON an introspection prints.

    Raises:
        ToolError: it is not that.
    """
    try:
        data = json.loads(text)
        if data["schema"] != SCHEMA:
            raise ToolError(
                f"{what}: schema {data['schema']} is not {SCHEMA}", "use tools and introspection of one version"
            )
        routes = [(str(route["method"]), str(route["path"])) for route in data["routes"]]
        return Surface.of(routes, map(str, data.get("keys", ())))
    except (ValueError, KeyError, TypeError) as error:
        raise ToolError(f"{what}: no answer that can be read ({error!r})", "run it by hand to see") from error
