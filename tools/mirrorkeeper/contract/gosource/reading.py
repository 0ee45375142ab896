"""One Go function, read for the routes it registers, with the router groups it was called with. Pure."""

from __future__ import annotations

from tree_sitter import Node

from ...golang.nodes import text_of
from .conditions import branches, early_return, may_end
from .expressions import Expressions
from .loops import table_rows
from .packages import Package
from .refusals import Refusals
from .registrations import is_unserved, registrations
from .registry import RouteRegistry
from .scope import GoScope, Prefixes, join
from .syntax import Function, parameters_of
from .tables import keyed_values

_DEEPEST = 10
_BLOCKS = ("block", "if_statement", "for_statement", "expression_case", "default_case", "type_case")
_CASES = ("expression_case", "default_case", "type_case", "communication_case")


class FunctionReading:
    """One function, read once with the groups it was called with."""

    def __init__(
        self, routes: RouteRegistry, package: Package, function: Function, fields: dict[tuple[str, str, str], Prefixes]
    ) -> None:
        """Take the function, and the fields known to hold groups so far."""
        self._routes = routes
        self._package = package
        self._function = function
        self._fields = fields
        self._meaning = Expressions(routes.universe, package, function, fields)
        self._depth = 0
        self._conditions: tuple[str, ...] = ()
        self._named: dict[int, None] = {}
        self._literals: dict[str, tuple[Node, GoScope]] = {}

    def run(self, scope: GoScope, depth: int, conditions: tuple[str, ...] = ()) -> None:
        """Read the body; the scope holds the parameters that are groups, and `conditions` those of the call."""
        self._depth = depth
        self._conditions = conditions
        for one in self._function.parameters:
            if one.type.endswith("gin.Engine"):
                scope.declare(one.name, frozenset({""}), None)
            elif not scope.knows(one.name):
                scope.declare(one.name, None, None)
        self._walk(self._function.body, scope)

    def _walk(self, node: Node, scope: GoScope) -> None:
        kind = node.type
        if kind == "func_literal":
            if node.id not in self._named:
                self._literal(node, GoScope(scope), ())
            return
        if kind == "binary_expression" and text_of(node.child_by_field_name("operator")) in ("&&", "||"):
            self._either(node, scope)
            return
        self._statement(node, scope)
        inner = GoScope(scope) if kind in _BLOCKS else scope
        if kind == "if_statement":
            self._if(node, inner)
        elif kind == "for_statement":
            self._for(node, inner)
        else:
            self._statements(node, inner, "in a case of a switch" if kind in _CASES else "")

    def _statement(self, node: Node, scope: GoScope) -> None:
        """Take from a node what it says by itself; the nodes in it are walked afterwards."""
        kind = node.type
        if kind in ("short_var_declaration", "assignment_statement"):
            self._assignment(node, scope, declares=kind == "short_var_declaration")
        elif kind in ("var_spec", "const_spec"):
            self._variables(node, scope)
        elif kind == "call_expression":
            self._call(node, scope)
        elif kind == "identifier" and text_of(node) in self._literals:
            self._used_literal(node, scope)
        elif kind == "composite_literal":
            self._composite(node, scope)

    def _either(self, node: Node, scope: GoScope) -> None:
        """Read both sides of `&&` and `||`; the right one runs only after some results of the left one."""
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is not None and right is not None:
            self._walk(left, scope)
            kept = self._conditions
            self._add_condition("behind && or ||")
            self._walk(right, scope)
            self._conditions = kept

    def _statements(self, node: Node, scope: GoScope, condition: str = "") -> None:
        """Read the parts of a node in order; what follows an early return stands under its condition."""
        kept = self._conditions
        self._add_condition(condition)
        for child in node.named_children:
            self._walk(child, scope)
            left = early_return(child)
            if left == "":
                break
            self._add_condition(left or "")
        if node.type != "statement_list":
            self._conditions = kept

    def _add_condition(self, condition: str) -> None:
        if condition and condition not in self._conditions:
            self._conditions = (*self._conditions, condition)

    def _if(self, node: Node, scope: GoScope) -> None:
        for name in ("initializer", "condition"):
            part = node.child_by_field_name(name)
            if part is not None:
                self._walk(part, scope)
        for part, condition in branches(node):
            kept = self._conditions
            self._add_condition(condition)
            self._walk(part, GoScope(scope))
            self._conditions = kept

    def _for(self, node: Node, scope: GoScope) -> None:
        """Read a loop over a table that is written out once for each of its rows, any other once, as a condition."""
        body = node.child_by_field_name("body")
        rows = list(table_rows(self._meaning, node, scope))
        kept = self._conditions
        if body is not None and rows:
            for row in rows:
                inner = GoScope(scope)
                for name, text in row.items():
                    inner.declare(name, None, text)
                self._walk(body, inner)
                self._conditions = kept
                self._add_condition("in a loop that may end before" if may_end(body) else "")
            self._conditions = kept
            return
        self._statements(node, scope, "in a loop")

    def _literal(self, node: Node, scope: GoScope, groups: tuple[Prefixes | None, ...]) -> None:
        for at, one in enumerate(parameters_of(node)):
            engine = frozenset({""}) if one.type.endswith("gin.Engine") else None
            scope.declare(one.name, (groups[at] if at < len(groups) else None) or engine, None)
        body = node.child_by_field_name("body")
        if body is not None:
            self._walk(body, scope)

    def _assignment(self, node: Node, scope: GoScope, *, declares: bool) -> None:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None or len(left.named_children) != len(right.named_children):
            return
        for target, value in zip(left.named_children, right.named_children, strict=True):
            if value.type == "func_literal" and target.type == "identifier":  # read where it is called
                self._named[value.id] = None
                self._literals[text_of(target)] = (value, scope)
            group, text = self._meaning.group(value, scope), self._meaning.text(value, scope)
            if target.type == "identifier":
                name, held = text_of(target), self._meaning.held_method(value, scope)
                if group and not declares and not scope.knows(name):
                    self._keep("", name, group)  # a variable of the package
                (scope.declare if declares else scope.assign)(name, group, text)
                if declares and is_unserved(node, name, value):
                    scope.leave_idle(name)
                if held is not None and group is None:
                    scope.hold(name, held)
            elif target.type == "selector_expression" and group:
                self._keep(self._meaning.owner(target), text_of(target.child_by_field_name("field")), group)

    def _variables(self, node: Node, scope: GoScope) -> None:
        value = node.child_by_field_name("value")
        values = value.named_children if value is not None else []
        for at, name in enumerate(node.children_by_field_name("name")):
            one = values[at] if at < len(values) else None
            group = self._meaning.group(one, scope) if one is not None else None
            scope.declare(text_of(name), group, self._meaning.text(one, scope) if one is not None else None)

    def _composite(self, node: Node, scope: GoScope) -> None:
        owner = text_of(node.child_by_field_name("type")).rpartition(".")[2]
        for key, value in keyed_values(node):
            group = self._meaning.group(value, scope)
            if group:
                self._keep(owner, text_of(key), group)

    def _keep(self, owner: str, name: str, group: Prefixes) -> None:
        key = (self._package.folder, owner, name)
        self._fields[key] = self._fields.get(key, frozenset()) | group

    def _call(self, node: Node, scope: GoScope) -> None:
        function = node.child_by_field_name("function")
        listed = node.child_by_field_name("arguments")
        arguments = [one for one in (listed.named_children if listed is not None else ()) if one.type != "comment"]
        if function is None:
            return
        held = self._meaning.held_method(function, scope) if arguments else None
        if held is not None:
            self._register(*held, arguments, scope)
        groups = tuple(self._meaning.group(one, scope) for one in arguments)
        self._note_call(function, scope, groups)
        if any(groups):
            if function.type == "func_literal":
                self._literal(function, GoScope(scope), groups)
            for package, callee in self._meaning.callees(function, scope):
                self._enter(package, callee, groups)

    def _used_literal(self, node: Node, scope: GoScope) -> None:
        """Read a function that was given a name where that name is used, with what it is called with."""
        held, around = self._literals[text_of(node)]
        call = node.parent
        groups: tuple[Prefixes | None, ...] = ()
        if call is not None and call.type == "expression_list" and call.parent is not None:
            left = call.parent.child_by_field_name("left")
            if call == left or text_of(left) == "_":  # given a value, or thrown away
                return
        elif call is not None and call.type == "call_expression" and call.child_by_field_name("function") == node:
            listed = call.child_by_field_name("arguments")
            given = listed.named_children if listed is not None else []
            groups = tuple(self._meaning.group(one, scope) for one in given if one.type != "comment")
        name = text_of(node)
        del self._literals[name]  # one that calls itself
        self._literal(held, GoScope(around), groups)
        self._literals[name] = (held, around)

    def _note_call(self, function: Node, scope: GoScope, groups: tuple[Prefixes | None, ...]) -> None:
        """Keep the conditions of a call in this package that hands no group over, or an engine."""
        for package, callee in self._meaning.callees(function, scope):
            own = not any(groups) or any(one.type.endswith("gin.Engine") for one in callee.parameters)
            if own and package is self._package and callee is not self._function:
                self._routes.note_call((package.folder, callee.receiver.type, callee.name), self._conditions)

    def _enter(self, package: Package, callee: Function, groups: tuple[Prefixes | None, ...]) -> None:
        call = (package.folder, f"{callee.receiver.type}.{callee.name}", groups, self._conditions)
        if self._depth >= _DEEPEST or not self._routes.begin(call):
            return
        scope = GoScope()
        for one, group in zip(callee.parameters, groups, strict=False):
            if group is not None:
                scope.declare(one.name, group, None)
        FunctionReading(self._routes, package, callee, self._fields).run(scope, self._depth + 1, self._conditions)

    def _register(self, verb: str, group: Prefixes, arguments: list[Node], scope: GoScope) -> None:
        for methods, place, suffix in registrations(self._meaning, verb, arguments, scope):
            path = self._meaning.text(place, scope)
            if path is None or not methods:
                self._routes.unread.add(f"{self._package.folder}: {verb} {text_of(place)}")
                continue
            refusals = Refusals(self._meaning, self._routes.universe)
            handlers = arguments[arguments.index(place) + 1 :]
            refused = next((text for one in handlers if (text := refusals.of(one, scope))), "")
            for prefix in group:
                for method in methods:
                    self._routes.add((method, join(prefix, path + suffix)), self._conditions, refused)
