from typing import Any

import pytest

from extension.cli.output.actions import print_plan


def test_a_host_on_hold_for_several_reasons_names_each_with_its_number(capsys: pytest.CaptureFixture[str]) -> None:
    held = [change(1, "Failed alike."), change(2, "No success."), change(3, "Failed alike.")]
    plan = {"mode": "disable", "applied": [], "held": held, "refused": [], "already": [], "notEnabled": []}

    print_plan(plan)

    assert "2: Failed alike.; 1: No success." in capsys.readouterr().out


def change(number: int, against: str) -> dict[str, Any]:
    return {
        "account": number,
        "displayName": f"relay-{number}",
        "keyHint": "",
        "place": "",
        "action": "disable",
        "host": "relay.example",
        "code": "",
        "params": {},
        "against": against,
    }
