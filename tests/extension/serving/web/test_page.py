"""The page: what browsers may do with it, and how it is kept."""

import gzip
import re
from pathlib import Path
from urllib.parse import urljoin

import pytest
from yarl import URL

from extension.console import BUILT
from extension.console.pages import BUILT_FILES, page_names
from tests.extension.running_service import Running, running

PAGE = "/monitor/overview"


def without_modules(document: str) -> str:
    """Return a document without the list of modules to load beforehand, which each page has its own of."""
    return re.sub(r' *<link rel="modulepreload"[^>]*>\n', "", document)


@pytest.mark.parametrize("path", [PAGE, "/monitor/static/app/app.js", "/monitor/static/missing.js"])
async def test_nothing_inline_nothing_foreign_and_no_frames(service: Running, path: str) -> None:
    headers = (await service.get(path)).headers

    policy = headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["X-Frame-Options"] == "DENY"


async def test_the_page_holds_to_its_own_policy(service: Running) -> None:
    text = (await service.get(PAGE)).text

    assert not re.search(r"<script(?![^>]*\bsrc=)", text)
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=", text)
    assert not re.search(r"(?:src|href)=[\"']https?:", text)


async def test_every_file_the_page_names_is_there(service: Running) -> None:
    text = (await service.get(PAGE)).text
    named = re.findall(r"(?:src|href)=\"(static/[^\"]+)\"", text)

    assert named
    for path in named:
        assert (await service.get(f"/monitor/{path}")).status == 200, path


@pytest.mark.parametrize("page", ["overview", "inspection"])
async def test_a_first_page_does_without_what_only_others_need(service: Running, page: str) -> None:
    document = (await service.get(f"/monitor/{page}")).text
    named = re.findall(r"(?:src|href)=\"(static/[^\"]+)\"", document)
    files = [path for path in (*named, "static/app/en.json") if not path.endswith(".svg")]
    answers = [(await service.get(f"/monitor/{path}")).text for path in files]

    assert len([document, *answers]) <= 6
    assert sum(len(gzip.compress(text.encode())) for text in (document, *answers)) < 80_000


async def test_a_browser_keeps_page_and_files_and_asks_whether_they_changed(service: Running) -> None:
    for path in (PAGE, "/monitor/static/app/app.js"):
        first = await service.get(path)
        again = await service.get(path, headers={"If-None-Match": first.headers["ETag"]})

        assert first.headers["Cache-Control"] == again.headers["Cache-Control"] == "no-cache"
        assert (again.status, again.text) == (304, "")


@pytest.mark.parametrize("folder", ["", "0" * 32 + "/"])
@pytest.mark.parametrize("path", ["missing.js", "../page.py", "..%2f__init__.py", "%2e%2e/__init__.py", "", "frame"])
async def test_what_is_no_file_of_the_page_is_not_found(service: Running, folder: str, path: str) -> None:
    exactly = URL(f"{service.address}/monitor/static/{folder}{path}", encoded=True)

    async with service.browser.get(exactly) as reply:
        assert reply.status == 404
        assert (await reply.json())["code"] == "not_found"


@pytest.mark.parametrize(
    "path",
    ["nothing/here", "a/b/c", "..%2f..%2fetc", "a%2Fb/c", "..%2f..%2fetc/x", "static/missing.css", "a%20b/c?d=e/f"],
)
async def test_the_page_of_a_missing_address_finds_its_styles_and_the_way_back(service: Running, path: str) -> None:
    exactly = URL(f"{service.address}/monitor/{path}", encoded=True)
    async with service.browser.get(exactly, headers={"Accept": "text/html"}) as reply:
        assert reply.status == 404
        named = re.findall(r'href="([^"]+)"', await reply.text())

    assert any(address.endswith(".css") for address in named)
    for address in named:
        target = urljoin(f"{service.address}/monitor/{path}", address)
        assert (await service.get(target.removeprefix(service.address))).status == 200, target


async def test_the_page_knows_the_configured_prefix(tmp_path: Path) -> None:
    async with running(tmp_path / "data", POOLKEEPER_PREFIX="keeper") as service:
        text = (await service.get(PAGE)).text

        assert 'name="poolkeeper-paths" content="../v0/management/keeper/"' in text
        assert (await service.get("/v0/management/keeper/info")).status == 401
        assert (await service.get("/v0/management/poolkeeper/info")).text == "said by the gateway"


@pytest.mark.parametrize(
    ("bare", "leads_to"),
    [
        ("/monitor", "monitor/overview"),
        ("/monitor/", "overview"),
        ("/monitor/inspection/", "../inspection"),
    ],
)
async def test_the_bare_address_leads_to_a_page_relative_to_itself(service: Running, bare: str, leads_to: str) -> None:
    foreign = {"Host": "evil.example"}
    async with service.browser.get(f"{service.address}{bare}", headers=foreign, allow_redirects=False) as reply:
        assert (reply.status, reply.headers["Location"]) == (302, leads_to)


async def test_every_page_is_the_same_document_and_an_unknown_name_is_not_found(service: Running) -> None:
    document = without_modules((await service.get(PAGE)).text)

    for name in page_names():
        reply = await service.get(f"/monitor/{name}")
        assert (reply.status, without_modules(reply.text)) == (200, document)
        assert f'/app/{name}.js">' in reply.text
    unknown = await service.get("/monitor/nowhere")
    assert (unknown.status, without_modules(unknown.text)) == (404, document)
    assert unknown.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize(("path", "back"), [("2", "../inspection"), ("2/3", "../../inspection")])
async def test_an_unknown_address_opened_in_a_browser_is_a_page_with_a_way_back(
    service: Running, path: str, back: str
) -> None:
    browser = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8", "Accept-Language": "zh-CN,zh;q=0.9"}

    reply = await service.get(f"{PAGE}/{path}", headers=browser)

    assert (reply.status, reply.headers["Content-Type"]) == (404, "text/html; charset=utf-8")
    assert f'href="{back}"' in reply.text
    assert '<html lang="zh-CN">' in reply.text
    address = URL(f"{PAGE}/{path}")
    for named in re.findall(r"(?:src|href)=\"([^\"]+)\"", reply.text):
        assert (await service.get(address.join(URL(named)).path)).status == 200, named


async def test_an_unknown_address_read_by_a_program_is_a_problem_in_json(service: Running) -> None:
    reply = await service.get(f"{PAGE}/2", headers={"Accept": "application/json"})

    assert (reply.status, reply.json["code"]) == (404, "not_found")


def test_the_built_files_are_those_that_a_host_is_told_of() -> None:
    assert sorted(path.name for path in BUILT.iterdir()) == sorted([*BUILT_FILES, "index.html"])


async def test_a_large_file_is_compressed_for_a_browser_that_takes_it(service: Running) -> None:
    reply = await service.get("/monitor/static/app/shared.js", headers={"Accept-Encoding": "gzip"})

    assert (reply.status, reply.headers["Content-Encoding"]) == (200, "gzip")
