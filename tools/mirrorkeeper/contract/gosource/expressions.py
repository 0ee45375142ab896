"""The meaning of a Go expression for routes: a router group, a text, or the functions a call may reach."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tree_sitter import Node

from ...golang.nodes import literal, text_of
from .packages import Package, Universe
from .scope import GoScope, Prefixes, join
from .syntax import Function
from .tables import assigned, element_fields, element_parts, named_parts

_ENGINE: Prefixes = frozenset({""})
_DEEPEST = 10
_GROUP_TYPES = ("gin.RouterGroup", "gin.IRouter", "gin.IRoutes")
_HTTP = {
    "MethodGet": "GET",
    "MethodPost": "POST",
    "MethodPut": "PUT",
    "MethodPatch": "PATCH",
    "MethodDelete": "DELETE",
    "MethodHead": "HEAD",
    "MethodOptions": "OPTIONS",
}


class Expressions:
    """Meanings within one function of one package.

    Args:
        universe: the whole tree.
        package: the function's package.
        function: the function.
        fields: prefixes of fields that hold groups, by folder, type and name; it grows while packages are read.
        depth: how many functions that return groups are around.
    """

    def __init__(
        self,
        universe: Universe,
        package: Package,
        function: Function,
        fields: Mapping[tuple[str, str, str], Prefixes],
        depth: int = 0,
    ) -> None:
        self._universe = universe
        self._package = package
        self._function = function
        self._fields = fields
        self._depth = depth

    def group(self, node: Node | None, scope: GoScope) -> Prefixes | None:
        """The prefixes of a router or router group; None when the expression is none."""
        if node is None:
            return None
        if node.type == "identifier":
            return scope.group(text_of(node))
        if node.type in ("parenthesized_expression", "unary_expression") and node.named_children:
            return self.group(node.named_children[-1], scope)
        if node.type == "selector_expression":
            return self._field(node)
        return self._made(node, scope) if node.type == "call_expression" else None

    def text(self, node: Node | None, scope: GoScope) -> str | None:
        """The constant text of an expression; None when it is not one."""
        if node is None:
            return None
        found = literal(node)
        if found is not None:
            return found
        if node.type == "identifier":
            return self._named_text(text_of(node), scope)
        if node.type == "parenthesized_expression" and node.named_children:
            return self.text(node.named_children[0], scope)
        if node.type == "selector_expression":
            return scope.text(text_of(node)) if scope.knows(text_of(node)) else self._foreign_text(node)
        return self._joined(node, scope) if node.type == "binary_expression" else None

    def _joined(self, node: Node, scope: GoScope) -> str | None:
        if text_of(node.child_by_field_name("operator")) != "+":
            return None
        left = self.text(node.child_by_field_name("left"), scope)
        right = self.text(node.child_by_field_name("right"), scope)
        return left + right if left is not None and right is not None else None

    def rows(self, clause: Node, scope: GoScope) -> Iterator[dict[str, str | None]]:
        """Yield for each row of a table that a loop goes over the texts by name: `path`, or `row.path`."""
        names = [text_of(one) for one in (clause.child_by_field_name("left") or clause).named_children]
        right = clause.child_by_field_name("right")
        table = self._table(right) if right is not None else None
        if table is None or not names or clause.child_by_field_name("left") is None:
            return
        fields = element_fields(table, self._package)
        body = table.child_by_field_name("body")
        for element in body.named_children if body is not None else ():
            if element.type == "comment":
                continue
            key, value = element_parts(element)
            found: dict[str, str | None] = {names[0]: self.text(key, scope) if key is not None else None}
            for name in names[1:2]:
                found[name] = self.text(value, scope)
                parts = named_parts(value, fields)
                found.update({f"{name}.{part}": self.text(one, scope) for part, one in parts.items()})
            yield found

    def _table(self, node: Node) -> Node | None:
        if node.type == "composite_literal":
            return node
        name = text_of(node) if node.type == "identifier" else ""
        here = assigned(self._function.body, name) if name else None
        files = () if name in self._package.assigned else self._package.files
        found = here or next((file.constants[name] for file in files if name in file.constants), None)
        return found if found is not None and found.type == "composite_literal" else None

    def texts(self, node: Node, scope: GoScope) -> Iterator[str]:
        """The constant texts in a list that is written out."""
        body = node.child_by_field_name("body") if node.type == "composite_literal" else None
        for element in body.named_children if body is not None else ():
            inner = element.named_children[0] if element.type == "literal_element" else element
            found = self.text(inner, scope)
            if found:
                yield found.upper()

    def owner(self, selector: Node) -> str:
        """The type whose field is selected, when it is the function's own receiver; else empty."""
        operand = text_of(selector.child_by_field_name("operand"))
        receiver = self._function.receiver
        return receiver.type if receiver.name and operand == receiver.name else ""

    def callees(self, function: Node, scope: GoScope) -> Iterator[tuple[Package, Function]]:
        """Return the functions a call may reach: exactly one where it is certain, else all methods of that name."""
        if function.type in ("index_expression", "type_instantiation_expression"):  # with types between brackets
            function = function.named_children[0]
        if function.type == "identifier":
            found = self._package.functions.get(("", text_of(function)))
            if found and not scope.knows(found.name):
                yield self._package, found
            return
        if function.type != "selector_expression":
            return
        name = text_of(function.child_by_field_name("field"))
        operand = text_of(function.child_by_field_name("operand"))
        other = None if scope.knows(operand) else self._universe.imported(self._function.file, operand)
        if other is not None:
            found = other.functions.get(("", name))
            if found:
                yield other, found
            return
        own = self._package.functions.get((self.owner(function), name)) if self.owner(function) else None
        if own is not None:
            yield self._package, own
            return
        for package in self._universe.loaded:
            yield from ((package, one) for one in package.functions.values() if one.name == name and one.receiver.type)

    def _field(self, node: Node) -> Prefixes | None:
        name, owner = text_of(node.child_by_field_name("field")), self.owner(node)
        folder = self._package.folder
        if owner:
            known = self._fields.get((folder, owner, name))
            if known:
                return known
        else:
            values = [one for (where, _, field), one in self._fields.items() if (where, field) == (folder, name)]
            if values:
                return frozenset().union(*values)
        return _ENGINE if self._is_engine(owner, name) else None

    def _is_engine(self, owner: str, name: str) -> bool:
        for file in self._package.files:
            for structure, fields in file.structures.items():
                if owner in ("", structure) and any(
                    one.name == name and one.type.endswith("gin.Engine") for one in fields
                ):
                    return True
        return False

    def _made(self, node: Node, scope: GoScope) -> Prefixes | None:
        """The group a call gives back: `Group`, `Use`, a new engine, or a function that returns one."""
        function = node.child_by_field_name("function")
        listed = node.child_by_field_name("arguments")
        arguments = [one for one in (listed.named_children if listed is not None else ()) if one.type != "comment"]
        if function is None:
            return None
        if text_of(function) in ("gin.New", "gin.Default"):
            return _ENGINE
        name = text_of(function.child_by_field_name("field")) if function.type == "selector_expression" else ""
        group = self.group(function.child_by_field_name("operand"), scope) if name else None
        if group is not None:
            if name != "Group":
                return group
            path = self.text(arguments[0], scope) if arguments else None
            return frozenset(join(prefix, path) for prefix in group) if path is not None else None
        return self._returned(function, arguments, scope)

    def _returned(self, function: Node, arguments: list[Node], scope: GoScope) -> Prefixes | None:
        for package, callee in self.callees(function, scope) if self._depth < _DEEPEST else ():
            if not callee.result.lstrip("*").endswith((*_GROUP_TYPES, "gin.Engine")):
                continue
            inner = GoScope()
            for one, argument in zip(callee.parameters, arguments, strict=False):
                inner.declare(one.name, self.group(argument, scope), self.text(argument, scope))
            meaning = Expressions(self._universe, package, callee, self._fields, self._depth + 1)
            for statement in callee.body.named_children:
                for line in statement.named_children if statement.type == "statement_list" else (statement,):
                    meaning.note(line, inner)
                    if line.type == "return_statement" and line.named_children:
                        value = line.named_children[0]
                        return meaning.group(value.named_children[0] if value.named_children else value, inner)
        return None

    def note(self, line: Node, scope: GoScope) -> None:
        """Remember the declarations of a line, so that a later line can return them."""
        if line.type != "short_var_declaration":
            return
        left, right = line.child_by_field_name("left"), line.child_by_field_name("right")
        for target, value in zip(
            left.named_children if left else (), right.named_children if right else (), strict=False
        ):
            scope.declare(text_of(target), self.group(value, scope), self.text(value, scope))

    def _named_text(self, name: str, scope: GoScope) -> str | None:
        if scope.knows(name):
            return scope.text(name)
        return self._package_text(self._package, name)

    def _package_text(self, package: Package, name: str) -> str | None:
        for file in package.files:
            if name in file.constants and name not in package.assigned:
                home = Expressions(self._universe, package, self._function, self._fields, self._depth + 1)
                return home.text(file.constants[name], GoScope()) if self._depth < _DEEPEST else None
        return None

    def _foreign_text(self, node: Node) -> str | None:
        name, operand = text_of(node.child_by_field_name("field")), text_of(node.child_by_field_name("operand"))
        if self._function.file.imports.get(operand) == "net/http":
            return _HTTP.get(name)
        other = self._universe.imported(self._function.file, operand)
        return self._package_text(other, name) if other is not None else None
