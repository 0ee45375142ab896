import pytest
from aiohttp import web
from hypothesis import given
from hypothesis import strategies as st

from adapter.management import ManagementConnection
from adapter.management.listing.key_activity import key_activity
from adapter.port import Activity, Section
from adapter.rules.entries import read_sections
from tests.adapter.management.stand_in import CPA, StandIn, claude
from tests.contract.pool import compat, key_of

BASE = "http://127.0.0.1:9"


def _counted(success: int, failed: int) -> dict[str, object]:
    return {"success": success, "failed": failed, "recent_requests": [{"time": "06:30-06:40"}]}


async def test_a_key_has_the_counters_of_its_address_and_key(
    stand_in: StandIn, connection: ManagementConnection
) -> None:
    stand_in.counters = {
        "claude": {f"{BASE}|sk-claude-00001": _counted(7, 2)},
        "solo": {"http://x/v1|sk-solo-1": _counted(3, 0)},
    }
    pool = await connection.gateway.accounts()
    assert key_of(pool, Section.CLAUDE, 0).activity == Activity()
    assert key_of(pool, Section.CLAUDE, 1).activity == Activity(7, 2, None)
    assert compat(pool, "solo").activity == Activity(3, 0, None)


async def test_counters_change_no_revision(stand_in: StandIn, connection: ManagementConnection) -> None:
    before = await connection.gateway.accounts()
    stand_in.counters = {"claude": {f"{BASE}|sk-claude-00001": _counted(7, 2)}}
    assert (await connection.gateway.accounts()).revision == before.revision


async def test_a_look_at_the_counters_reads_the_pool_for_unknown_keys_alone(
    stand_in: StandIn, connection: ManagementConnection
) -> None:
    pool = await connection.gateway.accounts()
    index = key_of(pool, Section.CLAUDE, 1).auth_index
    stand_in.counters = {"claude": {f"{BASE}|sk-claude-00001": _counted(7, 2), f"{BASE}|sk-gone": _counted(1, 0)}}
    for requests in (11, 2, 2):
        stand_in.requests.clear()
        assert (await connection.gateway.request_counts())[index] == 9
        assert len(stand_in.requests) <= requests
    stand_in.sections["claude-api-key"].append(claude(9))
    stand_in.reload()
    stand_in.counters["claude"][f"{BASE}|sk-claude-00009"] = _counted(4, 0)
    assert sum((await connection.gateway.request_counts()).values()) == 13


async def test_a_version_before_the_counters_is_not_asked_for_them(
    stand_in: StandIn, connection: ManagementConnection
) -> None:
    stand_in.version = {"X-CPA-VERSION": "6.9.46"}
    assert key_of(await connection.gateway.accounts(), Section.CLAUDE).activity == Activity()
    assert not any("api-key-usage" in request for request in stand_in.requests)


@pytest.mark.parametrize(
    ("status", "body"),
    [(404, ""), (404, "null"), (404, '{"error":"no such route"}'), (404, "<h1>Not found</h1>"), (405, "")],
)
@pytest.mark.parametrize("header", [CPA, {}])
async def test_a_gateway_that_does_not_have_the_counters_lists_its_pool_all_the_same(
    stand_in: StandIn, connection: ManagementConnection, status: int, body: str, header: dict[str, str]
) -> None:
    async def without_counters(request: web.Request) -> web.StreamResponse | None:
        missing = request.path.endswith("api-key-usage")
        return web.Response(status=status, text=body, headers=header) if missing else None

    stand_in.before = without_counters
    assert len((await connection.gateway.accounts()).accounts) == 5


def test_a_counter_that_several_keys_share_is_nobodys() -> None:
    entries = [claude(1), claude(1, **{"proxy-url": "http://127.0.0.1:8"}), claude(2)]
    records = read_sections({"claude-api-key": entries})
    activity = key_activity({"claude": {f"{BASE}|sk-claude-{n:05}": _counted(1, 0) for n in (1, 2)}})
    assert activity.of(records) == [Activity(), Activity(), Activity(1, 0)]


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.dictionaries(st.text(), inner) | st.lists(inner),
)


@given(_JSON)
def test_whatever_the_gateway_answers_is_read_without_an_error(answer: object) -> None:
    records = read_sections({"claude-api-key": [claude(1)]})
    (activity,) = key_activity(answer).of(records)
    assert activity.successes >= 0 <= activity.failures


def test_the_counters_are_not_shown_with_their_keys() -> None:
    assert "sk-" not in repr(key_activity({"claude": {f"{BASE}|sk-claude-00001": _counted(1, 0)}}))
