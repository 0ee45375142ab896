from __future__ import annotations

from tests.tools.mirrorkeeper.contract.tables import TABLES, M
from tools.mirrorkeeper.contract.own import own_findings
from tools.mirrorkeeper.contract.pending import Pending
from tools.mirrorkeeper.contract.surface import Surface

INFO, SESSION = ("GET", f"{M}/pk/info"), ("POST", f"{M}/pk/info/session")


def codes(*routes: tuple[str, str], unmounted: tuple[str, ...] = ()) -> list[str]:
    pending = Pending(unmounted=dict.fromkeys(unmounted, "later"))
    return [one.code for one in own_findings(Surface.of(routes), TABLES, pending, "service", "pending.toml")]


def test_what_is_in_the_table_is_mounted_with_its_methods() -> None:
    assert codes(INFO, SESSION) == []
    assert codes(INFO) == ["CON008"]
    assert codes(INFO, ("PUT", SESSION[1])) == ["CON008", "CON009"]


def test_a_path_still_to_come_may_be_missing_and_has_to_leave_the_list_when_it_is_there() -> None:
    assert codes(INFO, unmounted=("info/session",)) == []
    assert codes(INFO, SESSION, unmounted=("info/session",)) == ["CON010"]
    assert codes(INFO, SESSION, unmounted=("nothing",)) == ["CON010"]


def test_a_mounted_path_outside_of_the_table_is_found() -> None:
    assert codes(INFO, SESSION, ("GET", f"{M}/pk/secret")) == ["CON009"]
