"""Tables of the HTTP interface, from its OpenAPI description and the tables of errors."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

from adapter.contract.expectations import OWN, PREFIX, own
from extension.api.application import resources
from extension.api.paths import Paths
from tests.repository.documents.markdown import code, codes, sentence, table
from tests.repository.documents.problem_codes import problem_rows

_SCHEMAS = "#/components/schemas/"


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
    return resources(Paths.under(PREFIX), version="").openapi()


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
        return f" ({least or 0:g} to {most:g}{unit})" if most < 1e5 else f" ({least or 0} to {most}{unit})"
    return f" (from {least:g})" if least is not None and not unit else ""
