"""Every rule is checked by a test, or is listed with the reason why it is not kept."""

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.conformance.rules import not_kept, rules

TESTS = Path(__file__).parent.parent


def named(path: Path) -> Iterator[str]:
    """Yield the rules a file of tests names."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in {"rule", "row"}:
            given = node.args if node.func.id == "rule" else node.args[:1]
            for each in given:
                if isinstance(each, ast.Constant):
                    yield from str(each.value).split()


def checked() -> set[str]:
    return {name for path in TESTS.rglob("test_*.py") for name in named(path)}


def test_every_rule_is_checked_or_listed_with_a_reason() -> None:
    assert sorted(rules().keys() - checked() - not_kept().keys()) == []


def test_only_known_rules_are_checked_or_listed() -> None:
    assert sorted((checked() | not_kept().keys()) - rules().keys()) == []


def test_no_rule_is_both_checked_and_listed() -> None:
    assert sorted(checked() & not_kept().keys()) == []


def test_every_listed_rule_has_a_reason() -> None:
    assert [name for name, reason in not_kept().items() if len(reason) < len("because")] == []
