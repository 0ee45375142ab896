"""Client keys, as a person types them."""

from tests.extension.cli.command_line import typed, typed_json
from tests.extension.running_service import Running


async def test_a_key_is_created_listed_revoked_and_brought_back(service: Running) -> None:
    assert "serves everybody" in (await typed(service, "client-key", "list")).output
    first_key = await typed_json(service, "client-key", "create")
    created = await typed(service, "client-key", "create", "anna's laptop")
    key, message = created.output.split("\n", 1)
    assert service.gateway.state.document["api-keys"] == [first_key["key"], key]
    assert "printed this once" in message

    listed = (await typed(service, "client-key", "list")).output
    assert "anna's laptop" in listed
    assert key not in listed

    revoked = await typed(service, "client-key", "revoke", "anna's laptop", "--note", "stolen")
    assert "revoked. Removed from api-keys" in revoked.output
    assert service.gateway.state.document["api-keys"] == [first_key["key"]]
    assert "stolen" in (await typed(service, "client-key", "list")).output
    only = await typed(service, "client-key", "revoke", first_key["fingerprint"])
    assert (only.exit_code, "Create another client key first" in only.output) == (2, True)

    assert "brought back" in (await typed(service, "client-key", "undo", "3")).output
    assert service.gateway.state.document["api-keys"] == [first_key["key"], key]


async def test_a_key_that_nobody_named_is_not_asked_about(service: Running) -> None:
    refused = await typed(service, "client-key", "revoke", "sk-a-whole-key-0123456789")
    assert (refused.exit_code, "No client key is called" in refused.output) == (2, True)
