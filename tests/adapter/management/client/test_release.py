import pytest

from adapter.management.client.release import Feature, release_of
from adapter.rules.identity import IdRule


@pytest.mark.parametrize(
    ("version", "own", "features"),
    [
        ("7.2.140", False, set(Feature) - {Feature.CALL_TIMEOUT}),
        ("v7.2.4", False, set(Feature) - {Feature.CALL_TIMEOUT, Feature.CALL_PROXY, Feature.KEY_STATUS}),
        ("v7.2.129", False, set(Feature) - {Feature.CALL_TIMEOUT, Feature.CALL_PROXY}),
        ("v7.2.130", False, set(Feature) - {Feature.CALL_TIMEOUT}),
        (
            "7.1.42",
            False,
            set(Feature)
            - {
                Feature.CALL_TIMEOUT,
                Feature.CALL_PROXY,
                Feature.KEY_STATUS,
                Feature.LIVE_INDEX,
                Feature.USAGE_SUBSCRIPTION,
            },
        ),
        ("6.10.7", False, {Feature.HEALTH, Feature.SECTION_INDEX, Feature.KEY_ACTIVITY}),
        ("6.9.47", False, {Feature.HEALTH, Feature.SECTION_INDEX, Feature.KEY_ACTIVITY}),
        ("6.9.29", False, {Feature.HEALTH, Feature.SECTION_INDEX}),
        ("6.9.10", False, {Feature.HEALTH}),
        ("6.0.0", False, set()),
        ("dev", False, set(Feature) - {Feature.CALL_TIMEOUT}),
        ("0.1.0", True, set(Feature) - {Feature.USAGE_SUBSCRIPTION}),
    ],
)
def test_a_version_decides_what_is_there(version: str, own: bool, features: set[Feature]) -> None:
    release = release_of({"x-cpa-version": version})
    assert release is not None
    assert release.own is own
    assert {feature for feature in Feature if release.has(feature)} == features
    assert len(release.lacks()) == (0 if own else len(set(Feature) - {Feature.CALL_TIMEOUT} - features))


def test_no_version_is_no_gateway() -> None:
    assert release_of({"server": "something"}) is None


@pytest.mark.parametrize(
    ("version", "rule"),
    [
        ("6.10.8", IdRule.KEY_AND_ADDRESS),
        ("7.2.137", IdRule.KEY_AND_ADDRESS),
        ("7.2.138", IdRule.WHOLE_ENTRY),
        ("dev", IdRule.WHOLE_ENTRY),
        ("0.1.0", IdRule.WHOLE_ENTRY),
    ],
)
def test_a_version_decides_the_rule_for_ids(version: str, rule: IdRule) -> None:
    release = release_of({"x-cpa-version": version})
    assert release is not None
    assert release.id_rule is rule
