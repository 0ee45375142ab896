import pytest

from adapter.port import Entry, Section, errors
from adapter.privacy.secret import Secret
from tests.adapter.embedded.conftest import Embedded, Start

TEXT = """\
remote-management: {secret-key: a-management-key-of-the-test}
usage-statistics-enabled: true # kept
claude-api-key:
  # the first
  - api-key: sk-claude-one-1
    base-url: "http://one"
"""
RECORD = {
    "timestamp": "2026-08-22T10:00:00.12Z",
    "source": "sk-claude-one-1",
    "api_key": "a-client-key-2222",
    "tokens": {"total_tokens": 42},
}


def spend(embedded: Embedded, times: int) -> None:
    for _ in range(times):
        embedded.runtime.traffic.usage.add(RECORD)


async def test_records_the_gateway_gave_up_between_two_pops_are_a_gap_told_once(start: Start) -> None:
    embedded = await start(TEXT)
    spend(embedded, 1)
    assert (await embedded.gateway.pop_usage(10)).gap is False
    spend(embedded, 2)
    managed = embedded.config.read_text()
    for text in (managed.replace("remote-management:", "# remote-management:"), managed):
        embedded.config.write_text(text)
        await embedded.runtime.reload()
    spend(embedded, 1)
    batch = await embedded.gateway.pop_usage(10)
    assert (batch.gap, [record.total_tokens for record in batch.records], batch.popped_at) == (True, [42], 1_000)
    assert (await embedded.gateway.pop_usage(10)).gap is False


async def test_a_record_holds_none_of_the_keys_the_gateway_writes_into_it(start: Start) -> None:
    embedded = await start(TEXT)
    spend(embedded, 1)
    batch = await embedded.gateway.pop_usage(10)
    assert "sk-claude" not in repr(batch)
    assert "2222" not in repr(batch)


async def test_switching_usage_to_what_it_is_writes_nothing_and_the_comment_stays(start: Start) -> None:
    embedded = await start(TEXT)
    before = embedded.config.read_text()
    embedded.files.full = True
    await embedded.gateway.switch_usage(True)
    embedded.files.full = False
    await embedded.gateway.switch_usage(False)
    assert embedded.config.read_text() == before.replace("enabled: true", "enabled: false")


async def test_a_full_disk_says_that_usage_and_a_section_may_not_be_written(start: Start) -> None:
    embedded = await start(TEXT)
    document = await embedded.gateway.configuration()
    embedded.files.full = True
    with pytest.raises(errors.Unavailable, match="no space left"):
        await embedded.gateway.switch_usage(False)
    with pytest.raises(errors.Unavailable, match="no space left"):
        await embedded.gateway.replace_section(Section.CLAUDE, [], document.revision)
    assert await embedded.gateway.configuration() == document


async def test_a_replaced_section_keeps_the_bytes_of_what_stays(start: Start) -> None:
    embedded = await start(TEXT)
    document = await embedded.gateway.configuration()
    entries = [
        Entry(Secret('{"api-key": "sk-claude-one-1", "base-url": "http://one"}')),
        Entry(Secret('{"api-key": "sk-claude-two-2"}')),
    ]
    await embedded.gateway.replace_section(Section.CLAUDE, entries, document.revision)
    assert embedded.config.read_text() == document.text.reveal() + "  - api-key: sk-claude-two-2\n"


@pytest.mark.parametrize("entry", ['{"api-key": 7}', "[]", "{", '{"weight": 1000001, "api-key": "sk-claude-one-1"}'])
async def test_entries_that_are_none_are_rejected_without_a_word_of_theirs(start: Start, entry: str) -> None:
    embedded = await start(TEXT)
    document = await embedded.gateway.configuration()
    with pytest.raises(errors.Rejected) as caught:
        await embedded.gateway.replace_section(Section.CLAUDE, [Entry(Secret(entry))], document.revision)
    assert caught.value.code == "invalid_entry"
    assert "sk-claude" not in f"{caught.value}{caught.value.__context__}{caught.value.__cause__}"
    assert await embedded.gateway.configuration() == document
