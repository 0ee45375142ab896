"""Statements of Go after which nothing runs. Pure."""

from __future__ import annotations

import re

from tree_sitter import Node

from .nodes import below, text_of

_ENDING = re.compile(r"panic|os\.Exit|runtime\.Goexit|\w+(?:\.\w+)*\.(?:Fatal|Panic)(?:f|ln|w)?")
"""Calls that do not come back."""


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
