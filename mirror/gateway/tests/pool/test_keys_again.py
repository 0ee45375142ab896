"""Credentials that are taken over from an earlier synthesis are those a new one would make."""

from hypothesis import given
from hypothesis import strategies as st

from gateway.internal.configuration.applying import applied
from gateway.internal.configuration.edits import Arrange, Edit, Insert, Remove, Set
from gateway.internal.configuration.errors import EditRefused
from gateway.internal.configuration.loading import configuration_of, parse
from gateway.internal.pool.keys import synthesise

TEXT = """\
claude-api-key:
  - api-key: same # twins
  - api-key: same
  - base-url: "" # dropped
  - api-key: other
    base-url: http://127.0.0.1:1
gemini-api-key: [{api-key: g}, {api-key: g}, {api-key: h}]
openai-compatibility:
  - {name: a, base-url: "http://127.0.0.1:1", api-key-entries: [{api-key: x}, {api-key: x}]}
  - {name: a, base-url: "http://127.0.0.1:1", api-key-entries: [{api-key: x}], disabled: true}
  - {name: none, base-url: "http://127.0.0.1:2"}
"""
CLAUDE, GEMINI, COMPAT = "claude-api-key", "gemini-api-key", "openai-compatibility"
EDITS: st.SearchStrategy[Edit] = st.one_of(
    st.builds(lambda at: Insert((CLAUDE, at, "excluded-models"), "*"), st.integers(0, 3)),
    st.builds(lambda at, key: Set((CLAUDE, at, "api-key"), key), st.integers(0, 3), st.sampled_from(["same", "new"])),
    st.builds(lambda at: Insert((GEMINI,), {"api-key": "h"}, at), st.integers(0, 2)),
    st.builds(lambda at: Remove((CLAUDE, at)), st.integers(0, 3)),
    st.builds(lambda order: Arrange((CLAUDE,), tuple(order)), st.permutations([0, 1, 2, 3])),
    st.builds(lambda at, off: Set((COMPAT, at, "disabled"), off), st.integers(0, 2), st.booleans()),
)


@given(st.lists(EDITS, max_size=5))
def test_what_is_taken_over_is_what_would_be_made_anew(edits: list[Edit]) -> None:
    text, configuration = TEXT, parse(TEXT)
    keys = synthesise(configuration)
    for edit in edits:
        try:
            text, document = applied(text, configuration.document, [edit])
        except EditRefused:  # its place went with an edit before
            continue
        configuration = configuration_of(document, text, before=configuration)
        keys = synthesise(configuration, keys)
        anew = parse(text)
        assert configuration == anew
        assert (keys.live, keys.dormant) == (synthesise(anew).live, synthesise(anew).dormant)


def test_only_what_changed_is_made_anew() -> None:
    configuration = parse(TEXT)
    before = synthesise(configuration)
    text, document = applied(TEXT, configuration.document, [Insert((CLAUDE, 1, "excluded-models"), "*")])
    after = synthesise(configuration_of(document, text, before=configuration), before)
    changed = [one.id for one, other in zip(after.live, before.live, strict=True) if one is not other]
    assert changed == [before.live[3].id]
