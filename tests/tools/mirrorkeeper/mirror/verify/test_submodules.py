"""A submodule in the place of something of the mirror: a finding in words, and a synchronization mends it."""

from __future__ import annotations

import subprocess

import pytest

from tests.tools.mirrorkeeper.repositories import WHO, Fork
from tools.mirrorkeeper.gates import run_gates

pytestmark = pytest.mark.slow

M = "mirror/gateway"
STAGE = "git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),{0}"
INSTEAD = f"git rm -rq --cached {{0}}; {STAGE}"
NESTED = "git init -q {0}; git -C {0} add -A; git -C {0} commit -qm x; git rm -rq --cached {0}; git add {0}"
COMMIT = "; git commit -qm x"


def gates(fork: Fork) -> set[tuple[str, str]]:
    """What the gates find; that one could not check fails the test."""
    report = run_gates(fork.project, ("mirror", "patches"))
    assert report.unchecked == ()
    return {(one.code, one.shown_path) for one in report.findings if one.code != "MIR011"}


def do(fork: Fork, command: str, place: str) -> None:
    script = command.format(place)
    subprocess.run(["sh", "-c", script], cwd=fork.root, env={"PATH": "/usr/bin:/bin", **WHO}, check=True)


@pytest.mark.parametrize("end", ["", COMMIT], ids=["staged", "committed"])
@pytest.mark.parametrize("place", [f"{M}/README.md", f"{M}/src", M])
def test_in_the_place_of_something_mirrored(fork: Fork, place: str, end: str) -> None:
    do(fork, INSTEAD + end, place)
    assert gates(fork) == {("MIR005", place)}

    fork.sync(discard=True)
    assert gates(fork) == set()


@pytest.mark.parametrize("place", [f"{M}/src", M])
def test_a_repository_that_was_made_and_staged_in_a_mirrored_folder(fork: Fork, place: str) -> None:
    do(fork, NESTED, place)
    assert ("MIR005", place) in gates(fork)

    fork.sync(discard=True)
    assert gates(fork) == set()


@pytest.mark.parametrize("place", ["mirror", "mirror/upstream.lock", "mirror/upstream.toml", "patches"])
@pytest.mark.parametrize("end", ["", COMMIT], ids=["staged", "committed"])
def test_in_the_place_of_what_the_mirror_needs(fork: Fork, place: str, end: str) -> None:
    do(fork, f"git rm -rq --cached --ignore-unmatch {{0}}; {STAGE}{end}", place)

    assert gates(fork) == {("MIR005", place)}


def test_in_the_place_of_the_attributes_it_takes_the_guard_as_well(fork: Fork) -> None:
    do(fork, INSTEAD, ".gitattributes")

    assert gates(fork) == {("MIR005", ".gitattributes"), ("ENV010", f"{M}/README.md")}


@pytest.mark.parametrize(
    ("place", "found"), [("mirror/upstream.lock", "MIR003"), (".gitattributes", "ENV010")], ids=["lock", "attributes"]
)
def test_what_was_taken_out_of_the_index_alone_is_missing_in_the_next_commit(
    fork: Fork, place: str, found: str
) -> None:
    do(fork, "git rm -q --cached {0}", place)

    assert [code for code, _ in gates(fork)] == [found]
