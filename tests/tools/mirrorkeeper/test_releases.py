from __future__ import annotations

import pytest

from tools.mirrorkeeper.releases import newest, next_patch, order


def test_versions_sort_as_people_read_them() -> None:
    versions = [
        "0.9.0",
        "0.10.0",
        "1.0.0-alpha",
        "1.0.0-alpha.1",
        "1.0.0-rc.2",
        "1.0.0-rc.10",
        "1.0.0",
        "1.0.1",
        "10.0.0",
    ]

    shuffled = [*versions[3:], *versions[:3]]

    assert sorted(shuffled, key=order) == versions


def test_more_parts_are_newer() -> None:
    assert newest(["1.2", "1.2.1", "1.1.9"]) == "1.2.1"


def test_of_no_versions_none_is_newest() -> None:
    assert newest([]) is None


@pytest.mark.parametrize(
    ("version", "following"), [("0.1.0", "0.1.1"), ("1.2.9", "1.2.10"), ("1.2", None), ("1.2.3-rc1", None)]
)
def test_the_next_patch_follows_plain_versions_only(version: str, following: str | None) -> None:
    assert next_patch(version) == following
