import pytest

from adapter.management.client.release import Feature, release_of


@pytest.mark.parametrize(
    ("version", "own", "features"),
    [
        ("7.2.140", False, set(Feature) - {Feature.CALL_TIMEOUT}),
        ("v7.2.4", False, set(Feature) - {Feature.CALL_TIMEOUT, Feature.KEY_STATUS}),
        ("6.10.7", False, {Feature.HEALTH, Feature.SECTION_INDEX, Feature.KEY_ACTIVITY}),
        ("6.9.47", False, {Feature.HEALTH, Feature.SECTION_INDEX, Feature.KEY_ACTIVITY}),
        ("6.9.29", False, {Feature.HEALTH, Feature.SECTION_INDEX}),
        ("6.9.10", False, {Feature.HEALTH}),
        ("6.0.0", False, set()),
        ("dev", False, set(Feature) - {Feature.CALL_TIMEOUT}),
        ("0.1.0", True, set(Feature)),
    ],
)
def test_a_version_decides_what_is_there(version: str, own: bool, features: set[Feature]) -> None:
    release = release_of({"x-cpa-version": version})
    assert release is not None
    assert release.own is own
    assert {feature for feature in Feature if release.has(feature)} == features
    assert len(release.lacks()) == len(set(Feature) - {Feature.CALL_TIMEOUT} - features)


def test_no_version_is_no_gateway() -> None:
    assert release_of({"server": "something"}) is None
