"""An operator who hops over the console's pages, in front of a large pool, meets no refusal."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path

import pytest

from adapter.contract.expectations import MANAGEMENT, own
from tests.soak.large_pool import INSTANT, write_pool
from tests.system.client import path_of
from tests.system.process import serving

PARALLEL = 6
"""Connections of a browser to one host."""
POOL = path_of("pool", source="api_key", family="all", view="slim")
RUNS = path_of("inspections", limit=20)
USAGE = (f"{MANAGEMENT}/usage/summary", f"{MANAGEMENT}/usage/series", f"{MANAGEMENT}/usage/failures")
LISTS = (f"{MANAGEMENT}/usage/collection", f"{MANAGEMENT}/api-key-aliases")
OVERVIEW = (own("pool/overview"), own("config/automation"), LISTS[0], *USAGE[:2])
INSPECTION = (POOL, RUNS, own("config"), own("info"))
PAGES: Sequence[Sequence[str]] = (
    OVERVIEW,
    INSPECTION,
    (*USAGE, *LISTS),
    (f"{MANAGEMENT}/usage?limit=100", LISTS[1], USAGE[0]),
    (LISTS[1], USAGE[0]),
    (f"{MANAGEMENT}/model-prices?limit=100", USAGE[0]),
    (own("pool/actions"), RUNS),
    (own("inspections/schedules"), RUNS),
    (own("config/channels"),),
    (own("config"), own("info"), own("config/automation")),
)
"""The reads of each page of the console."""


def signed_in(port: int, key: str) -> Mapping[str, str]:
    body = json.dumps({"key": key})
    with closing(HTTPConnection("127.0.0.1", port, timeout=60)) as connection:
        connection.request("POST", own("info/session"), body, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        assert answer.status == 200, answer.read()
        cookie = answer.headers["Set-Cookie"]
    return {"Cookie": cookie.partition(";")[0], "Accept-Encoding": "gzip"}


@pytest.mark.soak
@pytest.mark.timeout(240)
def test_ten_pages_one_after_the_other_are_all_answered(tmp_path: Path) -> None:
    pool = write_pool(tmp_path, 10_000, INSTANT)
    with serving(pool.config), ThreadPoolExecutor(PARALLEL) as browser:
        headers = signed_in(pool.gateway_port, pool.management_key)

        def read(path: str) -> int:
            with closing(HTTPConnection("127.0.0.1", pool.gateway_port, timeout=60)) as connection:
                connection.request("GET", path, headers=headers)
                answer = connection.getresponse()
                answer.read()
                return answer.status

        answers: Counter[int] = Counter()
        for _ in range(2):
            for page in PAGES:
                answers.update(browser.map(read, page))
    assert set(answers) == {200}, answers
