from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tools.mirrorkeeper.contract.tables import KEYS, ROUTES, TABLES, M, surface
from tools.mirrorkeeper.contract.comparison import contract_findings, endpoint_findings
from tools.mirrorkeeper.contract.expectations import EndpointRow
from tools.mirrorkeeper.contract.pending import Pending
from tools.mirrorkeeper.contract.surface import Surface, normal_path, parse_surface
from tools.mirrorkeeper.errors import ToolError


def codes(offered: Surface, pending: Pending | None = None) -> list[str]:
    return [one.code for one in contract_findings(offered, TABLES, "gateway", pending, "pending.toml")]


def test_a_gateway_with_everything_has_no_finding() -> None:
    assert codes(surface()) == []


def test_no_routes_at_all_is_a_capture_that_failed() -> None:
    (finding,) = contract_findings(Surface.of([], KEYS), TABLES, "gateway")

    assert finding.code == "CON001"
    assert "capturing them failed" in finding.message


def test_routes_without_the_health_route_were_captured_too_early() -> None:
    health = (("GET", "/healthz"), ("HEAD", "/healthz"))
    (finding,) = contract_findings(surface(without=health), TABLES, "gateway")

    assert finding.code == "CON002"
    assert "too early" in finding.message


def test_base_routes_without_management_mean_another_condition_to_register_them() -> None:
    (finding,) = contract_findings(Surface.of([("GET", "/healthz"), ("GET", "/")], KEYS), TABLES, "gateway")

    assert finding.code == "CON003"
    assert "2 routes, but none below /v0/management" in finding.message


def test_a_removed_endpoint_lists_the_routes_beside_it_and_who_relies_on_it() -> None:
    gone = (("PATCH", f"{M}/auth-files/status"),)
    (finding,) = contract_findings(surface(without=gone), TABLES, "gateway")

    assert finding.code == "CON004"
    assert finding.message == "PATCH /v0/management/auth-files/status is gone; accounts relies on it"
    assert finding.details == ("beside it: PATCH /v0/management/auth-files/fields",)


def test_a_removed_endpoint_names_the_registrations_that_could_not_be_read() -> None:
    gone = (("PATCH", f"{M}/auth-files/status"),)
    offered = replace(surface(without=gone), unread=("api: GET paths[n]",))
    (finding,) = contract_findings(offered, TABLES, "gateway")

    assert finding.details[-1] == "may be it, as its path is computed: api: GET paths[n]"


def test_a_route_that_is_there_only_with_a_slash_at_its_end_is_a_note() -> None:
    offered = surface(without=(("GET", f"{M}/config"),), more=(("GET", f"{M}/config/"),))
    (finding,) = contract_findings(offered, TABLES, "gateway")

    assert finding.code == "CON016"
    assert "is there only with a slash at its end" in finding.message


def test_a_changed_method_names_the_ones_there_are() -> None:
    offered = surface(without=(("GET", f"{M}/config"),), more=(("POST", f"{M}/config"),))
    (finding,) = contract_findings(offered, TABLES, "gateway")

    assert finding.code == "CON005"
    assert "answers to POST" in finding.message


def test_a_renamed_key_shows_its_neighbours() -> None:
    keys = [key for key in KEYS if key != "remote-management.secret-key"] + ["remote-management.secret"]
    (finding,) = contract_findings(Surface.of(ROUTES, keys), TABLES, "gateway")

    assert finding.code == "CON006"
    assert "remote-management.secret-key is gone; admission relies on it" in finding.message
    assert "there is: remote-management.secret" in finding.details


def test_what_is_used_besides_the_contract_is_reported_apart() -> None:
    assert codes(surface(without=(("POST", f"{M}/api-call"),))) == ["CON007"]


def test_what_is_awaited_is_a_note_until_it_is_there() -> None:
    pending = Pending(awaited={f"GET {M}/config": "the next release"})

    assert codes(surface(without=(("GET", f"{M}/config"),)), pending) == ["CON014"]
    assert codes(surface(), pending) == ["CON010"]
    assert codes(surface(), Pending(awaited={"GET /nowhere": "never"})) == ["CON010"]


@pytest.mark.parametrize(
    ("path", "normal"),
    [
        ("/a/{id}", "/a/{}"),
        ("/a/{name:path}/b", "/a/{}/b"),
        ("/a/:id/b", "/a/{}/b"),
        ("/a/*rest", "/a/{}"),
        ("/a/", "/a"),
        ("/", "/"),
        ("/v1beta/models/x:generateContent", "/v1beta/models/x:generateContent"),
    ],
)
def test_parameters_are_compared_by_their_place_not_by_their_name(path: str, normal: str) -> None:
    assert normal_path(path) == normal


@given(st.text(alphabet="/:*{}ab", max_size=12))
def test_a_normal_path_stays_as_it_is(path: str) -> None:
    assert normal_path(normal_path("/" + path)) == normal_path("/" + path)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"schema": 2, "routes": []}', '{"schema": 1, "routes": [{}]}'])
def test_an_answer_that_cannot_be_read_is_no_empty_surface(text: str) -> None:
    with pytest.raises(ToolError):
        parse_surface(text, "introspection")


def test_an_optional_endpoint_may_be_missing_and_not_change_its_method() -> None:
    row = EndpointRow("GET", f"{M}/models", "reloads", optional=True)
    changed = surface(more=(("POST", f"{M}/models"),))

    assert list(endpoint_findings([row], surface(), "gateway", "CON007")) == []
    assert [one.code for one in endpoint_findings([row], changed, "gateway", "CON007")] == ["CON007"]
