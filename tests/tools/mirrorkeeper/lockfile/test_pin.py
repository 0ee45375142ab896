from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.mirrorkeeper.errors import ToolError
from tools.mirrorkeeper.git.objects import FILE, LINK, SUBMODULE, TREE, Row
from tools.mirrorkeeper.lockfile.pin import BundleRecord, Pin, PinnedPatch, Tag, parse_pin

OIDS = st.text(alphabet="0123456789abcdef", min_size=40, max_size=40)
PATHS = st.binary(min_size=1, max_size=20).filter(lambda path: b"\0" not in path)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20)
ROWS = st.builds(Row, PATHS, st.sampled_from([FILE, LINK, SUBMODULE, TREE]), OIDS)
PATCHES = st.builds(PinnedPatch, TEXTS, OIDS, st.lists(PATHS, max_size=3, unique=True).map(sorted).map(tuple), OIDS)
PINS = st.builds(
    Pin,
    object_format=st.just("sha1"),
    url=TEXTS,
    tag=st.none() | st.builds(Tag, TEXTS, st.sampled_from(["annotated", "lightweight"]), OIDS),
    commit=OIDS,
    root_tree=OIDS,
    base_tree=OIDS,
    final_tree=OIDS,
    excluded=st.lists(ROWS, max_size=3).map(sorted).map(tuple),
    commit_object=st.binary(max_size=60) | TEXTS.map(str.encode),
    tag_object=st.binary(max_size=60),
    patches=st.lists(PATCHES, max_size=2).map(tuple),
    fetched_from=st.just(""),
    bundles=st.none(),
    subfolder=st.just(""),
)
DIGESTS = st.text(alphabet="0123456789abcdef", min_size=64, max_size=64)


@given(PINS, st.just(("", "")) | st.tuples(DIGESTS, DIGESTS))
def test_what_is_written_is_what_is_read(plain: Pin, digests: tuple[str, str]) -> None:
    pin = plain._replace(base_sha256=digests[0], final_sha256=digests[1])
    assert parse_pin(pin.render().decode(), "lock") == pin


def test_a_commit_whose_text_looks_like_a_conflict_is_pinned_like_any_other() -> None:
    pin = PIN._replace(commit_object=b"tree x\n\n<<<<<<< ours\n>>>>>>> theirs\n")

    assert parse_pin(pin.render().decode(), "lock") == pin


OLD = Pin("sha1", "u", Tag("v1", "annotated", "a" * 40), "b" * 40, "c" * 40, "c" * 40, "c" * 40, (), b"x\n", b"", ())
PIN = OLD._replace(base_sha256="d" * 64, final_sha256="d" * 64)


def test_the_lock_reads_well_and_tag_and_commit_stand_side_by_side() -> None:
    lines = PIN.render().decode().splitlines()

    assert lines[:6] == [
        "# Written by `python -m tools mirror sync`; do not edit.",
        "schema = 2",
        'object_format = "sha1"',
        'url = "u"',
        'tag = { name = "v1", kind = "annotated", oid = "' + "a" * 40 + '" }',
        'commit = "' + "b" * 40 + '"',
    ]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("schema = 2", "schema = 5", "schema 5 is newer than 4"),
        ("schema = 2", "schema = 3", "`fetched_from` is missing"),
        ("schema = 2", "schema = 0", "schema 0 is older than 1"),
        ('"sha1"', '"md5"', "object format 'md5'"),
        ('commit = "' + "b" * 40, 'commit = "HEAD', "must be a full object id, not 'HEAD'"),
        ("schema = 2", "schema = 2\nurll = 1", "unknown key `urll`"),
        ("schema = 2", "<<<<<<< ours\nschema = 1", "conflict markers"),
        ("schema = 2", "schema = ", "not valid TOML"),
        ("d" * 64, "d" * 40, "`base_sha256` must be a SHA-256 tree id"),
        ("base_sha256", "base_sha265", "`base_sha256` is missing"),
        ("commit =", "comit =", "`commit` is missing"),
    ],
)
def test_a_lock_that_is_not_ours_is_refused_with_the_reason(old: str, new: str, message: str) -> None:
    with pytest.raises(ToolError, match=message):
        parse_pin(PIN.render().decode().replace(old, new, 1), "upstream.lock")


def test_a_newer_schema_is_said_before_anything_else() -> None:
    with pytest.raises(ToolError, match="schema 9") as caught:
        parse_pin("schema = 9\nwhatever = 1\n", "upstream.lock")
    assert "newer version" in caught.value.advice


@pytest.mark.parametrize(("pin", "schema"), [(OLD, 1), (PIN, 2)])
def test_a_lock_of_a_schema_before_is_read_and_written_as_it_was(pin: Pin, schema: int) -> None:
    text = pin.render().decode()

    assert f"schema = {schema}\n" in text
    assert parse_pin(text, "upstream.lock") == pin


@given(TEXTS, st.none() | st.builds(BundleRecord, st.integers(1, 99), DIGESTS))
def test_origin_and_bundles_are_written_and_read(origin: str, bundles: BundleRecord | None) -> None:
    pin = PIN._replace(fetched_from=origin, bundles=bundles)
    text = pin.render().decode()

    assert "schema = 3\n" in text
    assert parse_pin(text, "lock") == pin


@pytest.mark.parametrize("lines", [0, -1])
def test_a_lock_that_is_bound_to_no_line_of_the_bundles_is_refused(lines: int) -> None:
    nothing = BundleRecord(lines, hashlib.sha256(b"").hexdigest())
    text = PIN._replace(fetched_from="u", bundles=nothing).render().decode()

    with pytest.raises(ToolError, match="binds the lock to no bundle"):
        parse_pin(text, "upstream.lock")
