import pytest
import yaml

from adapter.port import Capability, Entry, Revision, Section, errors
from adapter.privacy.secret import Secret
from tests.contract.pool import compat, key_of
from tests.contract.stage import Stage, lacks


async def test_the_document_is_the_stored_text(stage: Stage) -> None:
    document = await stage.gateway.configuration()
    assert document.text.reveal() == stage.text()
    assert (await stage.gateway.configuration()).revision == document.revision


async def test_the_document_prints_without_its_text(stage: Stage) -> None:
    document = await stage.gateway.configuration()
    assert "sk-solo" not in f"{document!r} {document.text}"


async def test_a_written_text_is_stored_and_in_effect(stage: Stage) -> None:
    document = await stage.gateway.configuration()
    text = document.text.reveal().replace('name: "solo"', 'name: "sole"')
    revision = await stage.gateway.write_configuration(Secret(text), document.revision)
    if await lacks(stage, Capability.KEPT_TEXT):
        assert yaml.safe_load(stage.text()) == yaml.safe_load(text)
    else:
        assert stage.text() == text
    assert (await stage.gateway.configuration()).revision == revision != document.revision
    assert compat(await stage.gateway.accounts(), "sole").enabled is True


async def test_a_text_is_not_written_over_another_than_expected(stage: Stage) -> None:
    document = await stage.gateway.configuration()
    await stage.edit(lambda text: text + "# a foreign hand\n")
    with pytest.raises(errors.ConflictError) as caught:
        await stage.gateway.write_configuration(document.text, document.revision)
    assert caught.value.applied == "no"
    assert stage.text().endswith("# a foreign hand\n")


@pytest.mark.parametrize(
    "text",
    ["a: [", "- no mapping\n", "claude-api-key: 7\n"],
    ids=["no yaml", "no mapping", "a section that is no list"],
)
async def test_a_text_that_is_no_configuration_is_rejected_and_nothing_is_written(stage: Stage, text: str) -> None:
    document = await stage.gateway.configuration()
    with pytest.raises(errors.Rejected) as caught:
        await stage.gateway.write_configuration(Secret(text), document.revision)
    assert caught.value.code in {"invalid_yaml", "invalid_config"}
    assert stage.text() == document.text.reveal()
    assert (await stage.gateway.configuration()).revision == document.revision


async def test_a_rejection_does_not_repeat_the_secrets_of_the_text(stage: Stage) -> None:
    document = await stage.gateway.configuration()
    with pytest.raises(errors.Rejected) as caught:
        await stage.gateway.write_configuration(Secret('api-key: "sk-very-secret-1111\n  : ['), document.revision)
    assert "sk-very-secret-1111" not in f"{caught.value}{caught.value.__cause__}{caught.value.__context__}"


async def test_a_replaced_section_has_the_new_entries_and_the_others_stay(stage: Stage) -> None:
    document = await stage.gateway.configuration()
    entries = [Entry(Secret('{"api-key": "sk-claude-new-4444", "base-url": "https://api.example.com"}'))]
    if await lacks(stage, Capability.REPLACE_SECTION):
        with pytest.raises(errors.Unsupported):
            await stage.gateway.replace_section(Section.CLAUDE, entries, document.revision)
        assert stage.text() == document.text.reveal()
        return
    revision = await stage.gateway.replace_section(Section.CLAUDE, entries, document.revision)
    assert (await stage.gateway.configuration()).revision == revision
    pool = await stage.gateway.accounts()
    assert key_of(pool, Section.CLAUDE).base_url == "https://api.example.com"
    assert len([account for account in pool.accounts if account.provider == "claude" and account.runtime_only]) == 1
    assert compat(pool, "solo").enabled is True


async def test_a_section_is_not_replaced_in_another_document_than_expected(stage: Stage) -> None:
    text = stage.text()
    expected = errors.Unsupported if await lacks(stage, Capability.REPLACE_SECTION) else errors.ConflictError
    with pytest.raises(expected):
        await stage.gateway.replace_section(Section.CLAUDE, [], Revision("another"))
    assert stage.text() == text


async def test_the_proxy_is_none_when_it_is_not_set_and_a_secret_when_it_is(stage: Stage) -> None:
    if await lacks(stage, Capability.PROXY_URL):
        with pytest.raises(errors.Unsupported):
            await stage.gateway.proxy_url()
        return
    assert await stage.gateway.proxy_url() is None
    await stage.edit(lambda text: text.replace('proxy-url: ""', 'proxy-url: "http://user:secret@127.0.0.1:3128"'))
    proxy = await stage.gateway.proxy_url()
    assert proxy == Secret("http://user:secret@127.0.0.1:3128")
    assert "secret" not in str(proxy)


async def test_the_access_to_management_is_that_of_the_text(stage: Stage) -> None:
    before = await stage.gateway.management_access()
    await stage.edit(_open_to_others)
    after = await stage.gateway.management_access()
    assert (before.allow_remote, after.allow_remote) == (False, True)
    assert before.key == after.key


def _open_to_others(text: str) -> str:
    if "remote-management:" in text:
        return text.replace("remote-management:\n", "remote-management:\n  allow-remote: true\n")
    return f"remote-management:\n  allow-remote: true\n{text}"
