from adapter.fake import FakeGateway
from adapter.port import FileRef, KeyRef, Section
from adapter.rules.known_names import KnownNames

TEXT = "claude-api-key: [{api-key: sk-1234567890, base-url: 'http://x'}]"


async def test_an_account_that_was_listed_keeps_its_candidates_in_the_order_of_the_spec() -> None:
    names = KnownNames()
    (account,) = (await FakeGateway(TEXT).accounts()).accounts
    names.learn([account])
    assert names.of(account.ref) == account.names
    assert len(account.names) == 2


def test_an_account_never_listed_has_the_names_its_reference_tells() -> None:
    names = KnownNames()
    assert names.of(FileRef("team/a.json")) == ("team/a.json", "a.json")
    assert names.of(KeyRef(Section.CLAUDE, "claude:apikey:1")) == ("claude:apikey:1",)


async def test_the_next_candidate_is_tried_only_when_the_one_before_finds_nobody() -> None:
    names = KnownNames()
    (account,) = (await FakeGateway(TEXT).accounts()).accounts
    names.learn([account])
    first, second = account.names
    assert names.find(account.ref, {first: account, second: account}) == (account, (first,))
    assert names.find(account.ref, {second: account}) == (account, (first, second))
    assert names.find(account.ref, {}) == (None, (first, second))
