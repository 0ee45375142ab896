"""Conditions on the way to a statement of Go source: `if`, early returns, and functions that nothing calls. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from ...golang.endings import leaves
from ...golang.nodes import below, text_of

_ERROR, _MISSING = r"err\w* != nil(?: && [^|]*\berr\w*\b[^|]*)?", r"(?!err)[\w.]+ == nil"
_FAILED = re.compile(rf"if (?:{_ERROR}|{_MISSING})(?: \|\| (?:{_ERROR}|{_MISSING}))*")
"""An error, or a receiver that is not there."""
_SWITCHES = ("expression_switch_statement", "type_switch_statement", "select_statement")
_ENDS = ("break_statement", "return_statement", "goto_statement")
_SHOWN = 60


def branches(node: Node) -> Iterator[tuple[Node, str]]:
    """Yield the parts of an `if` that can run, each with its condition; empty when it always holds."""
    condition = " ".join(text_of(node.child_by_field_name("condition")).split())
    consequence, alternative = node.child_by_field_name("consequence"), node.child_by_field_name("alternative")
    if consequence is not None and condition != "false":
        yield consequence, "" if condition == "true" else f"if {condition[:_SHOWN]}"
    if alternative is not None and condition != "true":
        yield alternative, "" if condition == "false" else f"unless {condition[:_SHOWN]}"


def early_return(statement: Node) -> str | None:
    """Return the condition under which a statement leaves the function; empty when it always does, None when never.

    Leaving because of an error or a missing receiver is no condition: the application does not start then.
    """
    if leaves(statement):
        return ""
    if statement.type in _SWITCHES:
        return "unless a case before it leaves" if _case_leaves(statement) else None
    if statement.type != "if_statement":
        return None
    conditions = [condition for part, condition in branches(statement) if leaves(part)]
    if not conditions or _FAILED.fullmatch(conditions[0]):
        return None
    word, _, condition = conditions[0].partition(" ")
    return f"{'unless' if word == 'if' else 'if'} {condition}" if condition else ""


def may_end(body: Node) -> bool:
    """Return whether a statement of a loop's body ends the loop, always or under a condition; an error counts not."""
    for statement in (child for one in body.named_children for child in _listed(one)):
        if statement.type in _ENDS or (
            statement.type == "if_statement"
            and early_return(statement) is not None
            and any(True for kind in _ENDS for _ in below(statement, kind))
        ):
            return True
    return False


def _case_leaves(switch: Node) -> bool:
    """Return whether a case of a switch leaves the function; a break leaves the switch alone."""
    cases = [one for one in switch.named_children if one.type.endswith(("_case", "_default"))]
    parts = [child for case in cases for one in case.named_children for child in _listed(one)]
    return any(one.type != "break_statement" and early_return(one) is not None for one in parts)


def _listed(node: Node) -> list[Node]:
    return node.named_children if node.type == "statement_list" else [node]
