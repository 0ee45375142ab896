from gateway.internal.configuration.sections import Section
from gateway.internal.pool.credential import Credential, Origin
from gateway.internal.pool.snapshot import PoolSnapshot, snapshot_of


def key(
    credential_id: str, index: str, *, file_name: str = "", disabled: bool = False, revision: str = "1"
) -> Credential:
    return Credential(
        id=credential_id, auth_index=index, provider="p", label="l", origin=Origin.CONFIGURATION, disabled=disabled,
        revision=revision, section=Section.CLAUDE, file_name=file_name,
    )  # fmt: skip


def test_a_name_is_an_id_before_a_file_name_before_an_index_before_a_base_name() -> None:
    by_id, by_file, by_index, by_base = (
        key("x", "1"),
        key("b", "2", file_name="x"),
        key("c", "x"),
        key("folder/x", "4"),
    )
    assert PoolSnapshot([by_base, by_index, by_file, by_id]).named("x") == (by_id,)
    assert PoolSnapshot([by_base, by_index, by_file]).named("x") == (by_file,)
    assert PoolSnapshot([by_base, by_index]).named("x") == (by_index,)
    assert PoolSnapshot([by_base]).named("x") == (by_base,)
    assert PoolSnapshot([by_base]).named("y") == ()


def test_an_index_narrows_a_name_down() -> None:
    one, other = key("a/x", "1"), key("b/x", "2")
    pool = PoolSnapshot([one, other])
    assert pool.named("x") == (one, other)
    assert pool.named("x", "2") == (other,)
    assert pool.named("x", "3") == ()


def test_dormant_credentials_are_found_but_never_instead_of_a_live_one() -> None:
    live, hidden, twin = key("a", "1"), key("b", "2", disabled=True), key("a", "9", disabled=True)
    pool = PoolSnapshot([live], [hidden, twin])
    assert pool.named("b") == (hidden,)
    assert pool.named("a") == (live,)
    assert pool.by_id("b") is None
    assert pool.by_index("2") is None


def test_the_revision_follows_every_credential() -> None:
    one = snapshot_of([key("a", "1")], [])
    assert one.revision == snapshot_of([key("a", "1")], []).revision
    assert one.revision != snapshot_of([key("a", "1", revision="2")], []).revision
    assert one.revision != snapshot_of([], [key("b", "1")]).revision


def test_a_snapshot_of_the_very_same_credentials_is_the_one_before() -> None:
    one, other = key("a", "1"), key("a", "1", revision="2")
    before = snapshot_of([one], [])
    assert snapshot_of([one], [], before) is before
    assert snapshot_of([], [one], before) is not before
    assert snapshot_of([other], [], before) is not before
