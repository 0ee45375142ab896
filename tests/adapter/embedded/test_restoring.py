"""What undoes a switch is stored by whoever uses the adapter: no secret may be in it, wherever an operator put one."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from adapter.port import Account, Applied, Change
from tests.adapter.embedded.conftest import Embedded

SECRET = "sk-put-aside-oyster"
COMMENTS = st.sampled_from(["", f" # {SECRET}", f" # - {SECRET}", f' # "*" {SECRET}', f" # disabled: true {SECRET}"])
PATTERNS = st.sampled_from(['- "*"', "- '*'", "- old-*", ""])


@st.composite
def entries(draw: st.DrawFn) -> str:
    """A key with patterns and a provider with a switch, and a comment with a key wherever one may stand."""
    lines = [f"claude-api-key:{draw(COMMENTS)}", f"  - api-key: sk-live-1{draw(COMMENTS)}"]
    lines.append(f"    excluded-models:{draw(COMMENTS)}")
    lines += [f"      {pattern}{draw(COMMENTS)}" for pattern in draw(st.lists(PATTERNS, max_size=5))]
    lines += ["openai-compatibility:", f"  - name: p{draw(COMMENTS)}", "    base-url: http://127.0.0.1:9/v1"]
    lines.append(f"    disabled: {draw(st.sampled_from(['true', 'no', 'off', 'False']))}{draw(COMMENTS)}")
    return "\n".join(lines) + draw(COMMENTS) + "\n"


@settings(max_examples=60, deadline=None)
@given(entries())
async def test_no_secret_an_operator_put_aside_is_in_what_is_stored_and_everything_is_put_back(text: str) -> None:
    with TemporaryDirectory() as folder:
        embedded = Embedded(Path(folder), text, {})
        await embedded.runtime.start()
        before = embedded.config.read_bytes()
        changes = [_flipping(account) for account in (await embedded.gateway.accounts()).accounts]
        off = await _applied(embedded, changes)
        back = [
            Change(change.ref, disabled=not change.disabled, restore=applied.before)
            for change, applied in zip(changes, off, strict=True)
        ]
        on = await _applied(embedded, back)
        stored = [json.dumps(asdict(outcome)) for outcome in (*off, *on)]
        assert not [row for row in stored if "sk-" in row or "oyster" in row]
        assert embedded.config.read_bytes() == before
        await embedded.runtime.stop()


async def _applied(embedded: Embedded, changes: Sequence[Change]) -> list[Applied]:
    outcomes = [outcome for outcome in await embedded.gateway.set_disabled(changes) if isinstance(outcome, Applied)]
    assert len(outcomes) == len(changes)
    return outcomes


def _flipping(account: Account) -> Change:
    return Change(account.ref, disabled=account.enabled is True)
