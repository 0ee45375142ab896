"""Handlers that only ever refuse: there as a route, and gone as a function. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from ...golang.nodes import below, text_of
from .expressions import Expressions
from .packages import Package, Universe
from .scope import GoScope
from .syntax import Function, Parameter, parameters_of

_DEEPEST = 4
_REFUSING = 400
_STATUSES = {
    "BadRequest": 400, "Unauthorized": 401, "PaymentRequired": 402, "Forbidden": 403, "NotFound": 404,
    "MethodNotAllowed": 405, "Gone": 410, "UpgradeRequired": 426, "InternalServerError": 500, "NotImplemented": 501,
    "BadGateway": 502, "ServiceUnavailable": 503,
}  # fmt: skip
_ANSWERS = frozenset(
    [
        "JSON",
        "IndentedJSON",
        "PureJSON",
        "SecureJSON",
        "AsciiJSON",
        "JSONP",
        "XML",
        "YAML",
        "TOML",
        "ProtoBuf",
        "String",
        "Data",
        "DataFromReader",
        "HTML",
        "Render",
        "Redirect",
        "Status",
        "AbortWithStatus",
        "AbortWithStatusJSON",
        "AbortWithStatusPureJSON",
        "AbortWithError",
    ]
)
"""Methods of gin's context whose first argument is the status of the answer."""


class Refusals:
    """Reads the bodies of handlers.

    A handler refuses when a failing status is the first answer on every way through its body; anything that cannot
    be read counts as an answer, so that no living endpoint is reported.
    """

    def __init__(self, meaning: Expressions, universe: Universe) -> None:
        """Take the meaning of names where the route is registered."""
        self._meaning = meaning
        self._universe = universe

    def of(self, handler: Node, scope: GoScope) -> str:
        """Return "NAME always answers STATUS" for a handler that only refuses; else empty."""
        if handler.type == "func_literal":
            body = handler.child_by_field_name("body")
            status = self._body(body, parameters_of(handler), self._meaning, 0)
            return f"the handler always answers {status}" if status else ""
        if handler.type == "call_expression":
            return self._made(handler, scope)
        found = list(self._meaning.callees(handler, scope))
        statuses = {self._function(package, one, 0) for package, one in found}
        status = min(statuses) if len(statuses) == 1 else 0
        return f"{found[0][1].name} always answers {status}" if status else ""

    def _made(self, call: Node, scope: GoScope) -> str:
        """Judge the handler that a function makes, where all it does is to return it."""
        function = call.child_by_field_name("function")
        found = list(self._meaning.callees(function, scope)) if function is not None else []
        if len(found) != 1:
            return ""
        package, maker = found[0]
        meaning = Expressions(self._universe, package, maker, {})
        statements = _statements(maker.body)
        if [one.type for one in statements] != ["return_statement"] or not statements[0].named_children:
            return ""
        handlers = statements[0].named_children[0].named_children
        if [one.type for one in handlers] != ["func_literal"]:
            return ""
        status = self._body(handlers[0].child_by_field_name("body"), parameters_of(handlers[0]), meaning, 0)
        return f"the handler of {maker.name} always answers {status}" if status else ""

    def _function(self, package: Package, function: Function, depth: int) -> int:
        meaning = Expressions(self._universe, package, function, {})
        return self._body(function.body, function.parameters, meaning, depth)

    def _body(self, body: Node | None, parameters: Sequence[Parameter], meaning: Expressions, depth: int) -> int:
        context = next((one.name for one in parameters if one.type.endswith("gin.Context")), "")
        if body is None or not context or depth > _DEEPEST:
            return 0
        return self._block(_statements(body), context, meaning, depth)

    def _block(self, statements: Sequence[Node], context: str, meaning: Expressions, depth: int) -> int:
        """Return the status every way through the statements answers first; 0 when one answers otherwise, or none."""
        for statement in statements:
            if statement.type == "if_statement":
                status = self._if(statement, context, meaning, depth)
                if status:
                    return status
                if _mentions(statement, context) or list(below(statement, "return_statement")):
                    return 0
            elif statement.type == "expression_statement":
                status = self._call(statement.named_children[0], context, meaning, depth)
                if status >= _REFUSING:
                    return status
                if status or _hands_over(statement.named_children[0], context):
                    return 0
            elif statement.type == "return_statement" or _answers(statement, context):
                return 0
        return 0

    def _if(self, node: Node, context: str, meaning: Expressions, depth: int) -> int:
        parts = [node.child_by_field_name(name) for name in ("consequence", "alternative")]
        found = {self._block(_statements(part), context, meaning, depth) if part is not None else 0 for part in parts}
        return 0 if 0 in found else min(found)

    def _call(self, call: Node, context: str, meaning: Expressions, depth: int) -> int:
        """Return the status a call answers with; 0 when it answers none that can be read."""
        function, listed = call.child_by_field_name("function"), call.child_by_field_name("arguments")
        if function is None or listed is None:
            return 0
        arguments = listed.named_children
        if text_of(function.child_by_field_name("operand")) == context:
            name = text_of(function.child_by_field_name("field"))
            return _status(arguments[0]) if name in _ANSWERS and arguments else 0
        if [text_of(one) for one in arguments] != [context]:
            return 0
        found = {self._function(*one, depth + 1) for one in meaning.callees(function, GoScope())}
        return min(found) if len(found) == 1 else 0


def _statements(body: Node) -> list[Node]:
    """The statements of a block, or of the `if` that stands in its place."""
    if body.type == "if_statement":
        return [body]
    return [one for part in body.named_children for one in (part.named_children if _is_list(part) else [part])]


def _is_list(node: Node) -> bool:
    return node.type == "statement_list"


def _status(node: Node) -> int:
    text = text_of(node)
    if text.startswith("http.Status"):
        return _STATUSES.get(text.removeprefix("http.Status"), 1)
    return int(text) if text.isdigit() else 1


def _mentions(node: Node, context: str) -> bool:
    return any(text_of(one) == context for one in below(node, "identifier"))


def _answers(node: Node, context: str) -> bool:
    """Return whether a statement may answer: it calls with the context, or a method that answers."""
    return any(_hands_over(one, context) for one in below(node, "call_expression"))


def _hands_over(call: Node, context: str) -> bool:
    function, listed = call.child_by_field_name("function"), call.child_by_field_name("arguments")
    if function is None or listed is None:
        return True
    writes = text_of(function).startswith((f"{context}.Writer", f"{context}.Next", f"{context}.File"))
    answers = text_of(function).startswith(tuple(f"{context}.{name}" for name in (*_ANSWERS, "Stream", "SSEvent")))
    return writes or answers or any(_mentions(one, context) or text_of(one) == context for one in listed.named_children)
