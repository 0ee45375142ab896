"""The meaning of a Go expression for routes: a router group, a text, or the functions a call may reach."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from tree_sitter import Node

from ...golang.nodes import literal, text_of
from .packages import Package, Universe
from .scope import GoScope, Prefixes, join
from .syntax import Function

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
        self.package = package
        self.function = function
        self._fields = fields
        self._depth = depth

    def group(self, node: Node | None, scope: GoScope) -> Prefixes | None:
        """The prefixes of a router or router group; None when the expression is none."""
        if node is None:
            return None
        if node.type == "identifier":
            name = text_of(node)
            return scope.group(name) if scope.knows(name) else self._package_group(self.package, name)
        if node.type in ("parenthesized_expression", "unary_expression") and node.named_children:
            return self.group(node.named_children[-1], scope)
        if node.type == "selector_expression":
            operand = text_of(node.child_by_field_name("operand"))
            other = None if scope.knows(operand) else self._universe.imported(self.function.file, operand)
            if other is not None:
                return self._package_group(other, text_of(node.child_by_field_name("field")))
            return None if scope.is_idle(operand) else self._field(node)
        return self._made(node, scope) if node.type == "call_expression" else None

    def held_method(self, value: Node, scope: GoScope) -> tuple[str, Prefixes] | None:
        """The method of a group that an expression is, as in `get := group.GET`, with the group's prefixes."""
        if value.type != "selector_expression":
            return scope.verb(text_of(value)) if value.type == "identifier" else None
        group = self.group(value.child_by_field_name("operand"), scope)
        return (text_of(value.child_by_field_name("field")), group) if group is not None else None

    def text(self, node: Node | None, scope: GoScope) -> str | None:
        """The constant text of an expression; None when it is not one."""
        if node is None:
            return None
        found = literal(node)
        if found is not None or node.type == "identifier":
            return found if found is not None else self._named_text(text_of(node), scope)
        if node.type == "parenthesized_expression":
            return self.text(node.named_children[0] if node.named_children else None, scope)
        if node.type == "selector_expression":
            return scope.text(text_of(node)) if scope.knows(text_of(node)) else self._foreign_text(node)
        if node.type == "binary_expression":
            return self._joined(node, scope)
        return scope.text(text_of(node)) if node.type == "index_expression" else None

    def _joined(self, node: Node, scope: GoScope) -> str | None:
        if text_of(node.child_by_field_name("operator")) != "+":
            return None
        left = self.text(node.child_by_field_name("left"), scope)
        right = self.text(node.child_by_field_name("right"), scope)
        return left + right if left is not None and right is not None else None

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
        receiver = self.function.receiver
        return receiver.type if receiver.name and operand == receiver.name else ""

    def callees(self, function: Node, scope: GoScope) -> Iterator[tuple[Package, Function]]:
        """Return the functions a call may reach: exactly one where it is certain, else all methods of that name."""
        if function.type in ("index_expression", "type_instantiation_expression"):  # with types between brackets
            function = function.named_children[0]
        if function.type == "identifier":
            found = self.package.functions.get(("", text_of(function)))
            if found and not scope.knows(found.name):
                yield self.package, found
            return
        if function.type != "selector_expression":
            return
        name = text_of(function.child_by_field_name("field"))
        operand = text_of(function.child_by_field_name("operand"))
        other = None if scope.knows(operand) else self._universe.imported(self.function.file, operand)
        if other is not None:
            found = other.functions.get(("", name))
            if found:
                yield other, found
            return
        own = self.package.functions.get((self.owner(function), name)) if self.owner(function) else None
        if own is not None:
            yield self.package, own
            return
        for package in self._universe.loaded:
            yield from ((package, one) for one in package.functions.values() if one.name == name and one.receiver.type)

    def _package_group(self, package: Package, name: str) -> Prefixes | None:
        """The prefixes of a variable of a package: those it begins with, and those that functions give it."""
        if not any(name in file.variables for file in package.files) or self._depth >= _DEEPEST:
            return None
        found = self._fields.get((package.folder, "", name), frozenset())
        for file in package.files:
            if name in file.constants and self.function.file is not None:
                home = Expressions(
                    self._universe, package, replace(self.function, file=file), self._fields, self._depth + 1
                )
                found |= home.group(file.constants[name], GoScope()) or frozenset()
            if file.variables.get(name, "").endswith("gin.Engine"):
                found |= _ENGINE
        return found or None

    def _field(self, node: Node) -> Prefixes | None:
        name, owner = text_of(node.child_by_field_name("field")), self.owner(node)
        folder = self.package.folder
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
        for file in self.package.files:
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
        return self._package_text(self.package, name)

    def _package_text(self, package: Package, name: str) -> str | None:
        for file in package.files:
            if name in file.constants and name not in package.assigned:
                home = Expressions(self._universe, package, self.function, self._fields, self._depth + 1)
                return home.text(file.constants[name], GoScope()) if self._depth < _DEEPEST else None
        return None

    def _foreign_text(self, node: Node) -> str | None:
        name, operand = text_of(node.child_by_field_name("field")), text_of(node.child_by_field_name("operand"))
        if self.function.file.imports.get(operand) == "net/http":
            return _HTTP.get(name)
        other = self._universe.imported(self.function.file, operand)
        return self._package_text(other, name) if other is not None else None
