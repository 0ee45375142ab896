"""Addresses with a digest: kept for good, and never with another content."""

import re
from pathlib import Path

import pytest

from extension.serving.web.page_files import PageFiles
from tests.extension.running_service import Running

INSPECTION = "/monitor/inspection"
FOR_GOOD = "public, max-age=31536000, immutable"


async def digest_of(service: Running) -> str:
    digests = set(re.findall(r'"static/([0-9a-f]{32})/', (await service.get(INSPECTION)).text))
    assert len(digests) == 1
    return str(digests.pop())


async def test_every_file_of_the_document_is_named_with_the_digest(service: Running) -> None:
    text = (await service.get(INSPECTION)).text

    assert text.count('"static/') == text.count(f'"static/{await digest_of(service)}/') > 0


@pytest.mark.parametrize("name", ["app/app.js", "app/app.css", "icon.svg", "app/zh-CN.json"])
async def test_a_file_below_the_digest_is_kept_for_good_and_is_the_plain_one(service: Running, name: str) -> None:
    digested = await service.get(f"/monitor/static/{await digest_of(service)}/{name}")
    plain = await service.get(f"/monitor/static/{name}")

    assert (digested.status, digested.headers["Cache-Control"]) == (200, FOR_GOOD)
    assert plain.headers["Cache-Control"] == "no-cache"
    assert (digested.text, digested.headers["Content-Type"]) == (plain.text, plain.headers["Content-Type"])


@pytest.mark.parametrize("name", ["app/app.js", "app/en.json"])
async def test_a_page_that_was_open_before_an_update_gets_files_to_be_revalidated(service: Running, name: str) -> None:
    reply = await service.get(f"/monitor/static/{'0' * 32}/{name}")

    assert (reply.status, reply.headers["Cache-Control"]) == (200, "no-cache")


def files_in(folder: Path) -> PageFiles:
    (folder / "texts").mkdir()
    (folder / "static").mkdir()
    (folder / "texts" / "en.json").write_text("{}", "utf-8")
    (folder / "static" / "app.js").write_text('import "./a.js";\n', "utf-8")
    (folder / "static" / "a.js").write_text("one", "utf-8")
    return PageFiles({"": folder / "static", "texts": folder / "texts"})


@pytest.mark.parametrize("changed", ["static/a.js", "texts/en.json"])
def test_a_changed_file_or_catalogue_is_another_digest(tmp_path: Path, changed: str) -> None:
    files = files_in(tmp_path)
    before = files.newest()

    (tmp_path / changed).write_text("changed", "utf-8")

    assert files.newest().digest != before.digest
    assert files.newest() is files.newest() is files.held


def test_a_file_that_was_replaced_is_not_what_the_digest_names(tmp_path: Path) -> None:
    files = files_in(tmp_path)
    digest = files.newest().digest

    (tmp_path / "static" / "a.js").write_text("two", "utf-8")

    assert (files.held.digest, files.held.files["a.js"]) == (digest, b"one")


def test_a_copy_of_the_files_has_the_same_digest(tmp_path: Path) -> None:
    for name in ("first", "second"):
        (tmp_path / name).mkdir()

    assert files_in(tmp_path / "first").newest().digest == files_in(tmp_path / "second").newest().digest
