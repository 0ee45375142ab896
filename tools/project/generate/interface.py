"""Tables of the HTTP interface: its OpenAPI description, and the codes of error answers.

Those codes are in the tables of the interface, or the code raises them one by one.
"""

import ast
import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, Final, NamedTuple

from adapter.contract.expectations import FLEET, OWN, PREFIX, own
from extension.api import problems
from extension.api.application import resources
from extension.api.paths import Paths

from .sources import ROOT, code, codes, sentence, table, text_of

_SCHEMAS = "#/components/schemas/"
_SHORT = 1e5
"""Limits below it are written with few digits."""
_CODE_AT = 2
"""Place of the code among the arguments of a `Problem`."""


def paths() -> str:
    """Return the own paths in service with their methods."""
    rows = (
        (code(path), ", ".join(method.upper() for method in methods)) for path, methods in described()["paths"].items()
    )
    return table(("Path", "Methods"), rows)


def planned() -> str:
    """Return the paths of the contract that are not served yet."""
    served = set(described()["paths"])
    names = [name for row in OWN for name in (row.name, *(part for part, _ in row.parts))]
    names += [name for name, _ in FLEET]
    missing = [own(name, PREFIX) for name in names if own(name, PREFIX) not in served]
    return "\n".join(f"- {code(path)}" for path in missing) or "None."


def resources_in_detail() -> str:
    """Return a section for each path and method."""
    return "\n\n".join(
        _operation(method, path, operation)
        for path, methods in described()["paths"].items()
        for method, operation in methods.items()
    )


def errors() -> str:
    """Return the codes of error answers."""
    return table(("Code", "Status", "Meaning"), ((code(row.code), row.status, row.meaning) for row in problem_rows()))


def shapes() -> str:
    """Return the fields of each request and answer."""
    schemas: Mapping[str, Any] = described()["components"]["schemas"]
    return "\n\n".join(_shape(name, schema) for name, schema in sorted(schemas.items()))


def published() -> str:
    """Return the OpenAPI description as JSON text."""
    return json.dumps(described(), indent=1, sort_keys=True) + "\n"


@cache
def described() -> Mapping[str, Any]:
    """Return the OpenAPI description under the default prefix."""
    return resources(Paths(PREFIX), version="").openapi()


def _operation(method: str, path: str, operation: Mapping[str, Any]) -> str:
    lines = [f"### {method.upper()} {path}", "", sentence(operation.get("description", "")), ""]
    lines += [f"- {item}" for item in _inputs(operation)]
    success = next(status for status in operation["responses"] if status != "default")
    content = operation["responses"][success].get("content", {})
    answers = ", ".join(f"{kind} {_link(value.get('schema', {}))}".strip() for kind, value in content.items())
    lines.append(f"- answers {success}{f': {answers}' if answers else ''}")
    return "\n".join(lines)


def _inputs(operation: Mapping[str, Any]) -> Iterator[str]:
    for parameter in operation.get("parameters", ()):
        required = "required" if parameter.get("required") else "optional"
        yield f"{parameter['in']} {code(parameter['name'])}: {_type(parameter['schema'])}, {required}"
    for content in operation.get("requestBody", {}).get("content", {}).values():
        yield f"body: {_link(content['schema'])}"


def _shape(name: str, schema: Mapping[str, Any]) -> str:
    lines = [f"### {name}", "", sentence(schema.get("description", "")), ""]
    if "enum" in schema:
        lines.append(f"One of {codes(schema['enum'])}.")
    lines += [f"- {code(field)}: {_type(value)}" for field, value in schema.get("properties", {}).items()]
    return "\n".join(lines)


def _link(schema: Mapping[str, Any]) -> str:
    reference = schema.get("$ref", "")
    if reference:
        name = reference.removeprefix(_SCHEMAS)
        return f"[{name}](#{name.lower()})"
    return "settings of an inspection by name" if schema.get("additionalProperties") is True else ""


def _type(schema: Mapping[str, Any]) -> str:
    for key, show in _KINDS.items():
        if key in schema:
            return show(schema)
    kind = str(schema.get("type", "any value"))
    if kind == "object" and isinstance(schema.get("additionalProperties"), Mapping):
        return f"object of {_type(schema['additionalProperties'])}"
    return f"{kind}{_bounds(schema)}"


_KINDS: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "$ref": _link,
    "anyOf": lambda schema: " or ".join(_type(option) for option in schema["anyOf"]),
    "const": lambda schema: code(schema["const"]),
    "enum": lambda schema: codes(schema["enum"]),
    "items": lambda schema: f"list of {_type(schema['items'])}",
}
"""Text for a schema with one of these keys."""


def _bounds(schema: Mapping[str, Any]) -> str:
    least, most = schema.get("minimum", schema.get("minLength")), schema.get("maximum", schema.get("maxLength"))
    unit = " characters" if "maxLength" in schema else ""
    bounded = most is not None and most < 2**63 - 1
    if bounded:
        return f" ({least or 0:g} to {most:g}{unit})" if most < _SHORT else f" ({least or 0} to {most}{unit})"
    return f" (from {least:g})" if least is not None and not unit else ""


RAISED: Final[Mapping[str, tuple[str, str]]] = {
    "bad_request": ("400", "Body or query cannot be used; the text names the field."),
    "bad_setting": ("400", "A setting is unknown or out of range; the text names it."),
    "no_session": ("401", "Neither a session nor the management key was sent, or the session has ended."),
    "wrong_key": ("401", "The gateway refused the management key."),
    "wrong_token": ("401", "In a fleet: the token of an operator is wrong, revoked or expired."),
    "no_role": ("403", "In a fleet: the user whom a trusted proxy names is no operator."),
    "role_insufficient": ("403", "In a fleet: the role of the operator does not allow the request."),
    "banned": ("403", "The gateway banned the address after wrong keys; see `Retry-After`."),
    "forbidden": ("403", "The gateway denied access for another reason, such as `allow-remote`."),
    "csrf": ("403", "An unsafe request by session lacks its CSRF token."),
    "no_sessions": ("409", "Loaded as a plugin, the service opens no session: send the key with each request."),
    "pool_missing": ("400", "A fleet has several pools: name one with `pool=NAME`; `hint` lists them."),
    "pool_unknown": ("404", "The fleet has no enabled gateway of that name; `hint` lists them."),
    "pool_unusable": ("503", "This process has no key for the gateway; the others are not held up."),
    "no_management": ("404", "The gateway has no management key, so there is no management."),
    "too_many_reads": ("429", "The reads of all callers exceed `reads_per_second`; see `Retry-After`."),
    "busy": ("429", "Too many keys are waiting for their check; this one was not checked. See `Retry-After`."),
    "internal": ("500", "An unexpected error; see the log of the service."),
    "standby": (
        "503",
        "Another process leads the shared database, or has the data folder: ask that one, or wait.",
    ),
    "not_ready": ("503", "The service is starting or ending; see `Retry-After`."),
    "inspection_off": ("503", "The data folder is damaged or incomplete, or the database does not fit."),
    "store_unavailable": (
        "503",
        "The data folder or database cannot be used at the moment; the service tries again by itself.",
    ),
    "no_stream": ("406", "The gateway delivers whole answers only; read events page by page."),
    "not_open": ("503", "The plugin process could not open the service; `error` says why."),
    "settings_invalid": ("503", "A setting of the plugin in the gateway's configuration cannot be used."),
    "starting": ("503", "The plugin process is opening the service; see `Retry-After`."),
    "too_late": ("504", "The service did not answer within the time of the gateway."),
    "store": ("503", "The data folder cannot be read or written."),
}
"""Status and meaning of each code outside of the tables; an unlisted one fails by name."""

OF_THE_LIBRARY: Final[Mapping[str, tuple[str, str]]] = {
    "body_too_large": ("413", "The body is longer than the library passes on."),
    "plugin_failed": ("502", "The plugin process ended during the call, or the library failed."),
    "not_running": ("503", "The plugin process does not come up: `error` has the cause, `hint` the next step."),
    "stopping": ("503", "The plugin was disabled or removed during the call."),
    "version_mismatch": ("503", "Plugin process and library are of different versions."),
    "deadline_exceeded": (
        "504",
        "The plugin process did not answer in time; one that gives no sign of life for 45 seconds is replaced.",
    ),
}
"""The same for the answers of the library in a stock gateway, beside `starting`."""
_RELAY: Final = "extension/plugin/shim/src/relay.rs"


class ProblemRow(NamedTuple):
    """One code of error answers."""

    code: str
    status: str
    meaning: str


def problem_rows() -> tuple[ProblemRow, ...]:
    """Return all codes, sorted by status.

    Raises LookupError: the code raises a problem that `RAISED` does not list, or no longer raises one that it lists.
    """
    rows = {row.code: row for row in _tabled()}
    raised = {code for code in _raised() if code not in rows}
    if raised != set(RAISED) - set(rows):
        raise LookupError(f"Codes without a row, or rows without a code: {sorted(raised ^ (set(RAISED) - set(rows)))}.")
    rows |= {code: ProblemRow(code, *RAISED[code]) for code in raised}
    if of_the_library() != {*OF_THE_LIBRARY, "starting"}:
        raise LookupError(f"Codes of the library: {sorted(of_the_library() ^ {*OF_THE_LIBRARY, 'starting'})}.")
    rows |= {code: ProblemRow(code, *row) for code, row in OF_THE_LIBRARY.items()}
    return tuple(sorted(rows.values(), key=lambda row: (row.status, row.code)))


def of_the_library() -> set[str]:
    """Return the codes in the answers that the library makes itself."""
    answers = text_of(_RELAY).partition("#[cfg(test)]")[0]
    return set(re.findall(r'(?:code: |[{] )(?:if [^{]+[{] )?"([a-z_]+)"', answers))


def _tabled() -> Iterator[ProblemRow]:
    for kind, status in problems._ENGINE_STATUS.items():  # noqa: SLF001 - its tables are what is described
        yield ProblemRow(kind.code, str(status), sentence(kind.__doc__ or ""))
    for error, (status, name, hint) in problems._GATEWAY_ANSWERS.items():  # noqa: SLF001 - as above
        yield ProblemRow(name, str(status), f"{sentence(error.__doc__ or '')} {hint}")
    for status, (text, name, hint) in problems._STATUS_ANSWERS.items():  # noqa: SLF001 - as above
        yield ProblemRow(name, str(status), f"{text} {hint}")


def _raised() -> Iterator[str]:
    """Yield the constant codes of every `Problem(status, text, code, …)` in the extension."""
    for path in sorted((ROOT / "extension").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)) if "Problem(" in text else ():
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Problem":
                word = node.args[_CODE_AT] if len(node.args) > _CODE_AT else None
                if isinstance(word, ast.Constant):
                    yield str(word.value)
