"""Statements of Go after which nothing runs. Pure."""

from __future__ import annotations

import re

from tree_sitter import Node

from .nodes import below, line_of, text_of

_ENDING = re.compile(r"panic|os\.Exit|runtime\.Goexit|\w+(?:\.\w+)*\.(?:Fatal|Panic)(?:f|ln|w)?")
"""Calls that do not come back."""

_LEAVES = frozenset({"return_statement", "break_statement", "continue_statement", "goto_statement"})
_SWITCHES = frozenset({"expression_switch_statement", "type_switch_statement", "select_statement"})


def leaves(statement: Node) -> bool:
    """Return whether nothing after a statement runs: it leaves in every branch, or never ends."""
    if statement.type in ("block", "statement_list", "labeled_statement"):
        return any(map(leaves, statement.named_children))
    if statement.type == "if_statement":
        condition = text_of(statement.child_by_field_name("condition"))
        parts = [statement.child_by_field_name(name) for name in ("consequence", "alternative")]
        left = [part is not None and leaves(part) for part in parts]
        return left[0] if condition == "true" else left[1] if condition == "false" else all(left)
    if statement.type in _SWITCHES and statement.named_children:
        return _every_case_leaves(statement)
    return statement.type in _LEAVES or never_ends(statement)


def _every_case_leaves(switch: Node) -> bool:
    """Return whether one case of a switch always runs and none comes back; a `break` leaves the switch alone."""
    cases = [one for one in switch.named_children if one.type.endswith("_case")]
    whole = switch.type == "select_statement" or any(one.type == "default_case" for one in cases)
    breaks = any(True for _ in below(switch, "break_statement"))
    return whole and not breaks and all(any(map(leaves, one.named_children)) for one in cases)


def ended_by_init(root: Node) -> int:
    """Return the line in an `init` of a file that always ends the program, or 0."""
    for function in root.named_children:
        body = function.child_by_field_name("body") if function.type == "function_declaration" else None
        if body is not None and text_of(function.child_by_field_name("name")) == "init":
            for part in body.named_children:
                lines = part.named_children if part.type == "statement_list" else [part]
                found = next((line_of(one) for one in lines if never_ends(one)), 0)
                if found:
                    return found
    return 0


def never_ends(statement: Node) -> bool:
    """Return whether nothing after a statement runs: a call that ends the program, or a loop without an end."""
    if statement.type == "expression_statement":
        call = statement.named_children[0]
        return (
            call.type == "call_expression"
            and _ENDING.fullmatch(text_of(call.child_by_field_name("function"))) is not None
        )
    if statement.type == "select_statement":
        return not statement.named_children
    if statement.type == "for_statement":
        whole = [one for one in statement.named_children if one.type != "comment"]
        return [one.type for one in whole] == ["block"] and not list(below(statement, "break_statement"))
    return False
