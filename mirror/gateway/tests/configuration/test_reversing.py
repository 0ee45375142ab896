from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gateway.internal.configuration.applying import EntryChange, reversibly
from gateway.internal.configuration.document import parse_document
from gateway.internal.configuration.edits import Edit, Insert, Remove, Set
from gateway.internal.configuration.inverse import Inverse
from tests.configuration.documents import MAPPINGS, STYLES, Style, write

THOROUGH = settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.too_slow])
SECRET = "sk-live-oyster"
POOL = """\
providers:
  # first
  - name: a # the first
    key: sk-1
  - name: b
    disabled: no # yet
    # a word at the end of b
  - {name: c, patterns: [x, "*" ], }
  - disabled: true
    name: d
others: [1, 2]
"""


SWITCH = st.fixed_dictionaries(
    {},
    optional={
        "disabled": st.none() | st.booleans(),
        "excluded-models": st.none() | st.lists(st.sampled_from(["*", " * ", "old-*"]), max_size=4),
    },
)


@st.composite
def switches(draw: st.DrawFn, entry: dict[str, Any], place: tuple[str | int, ...]) -> tuple[Edit, ...]:
    """What switches an entry: its own switch set or taken away, a pattern added, or those that switch taken away."""
    patterns = entry.get("excluded-models") or []
    stars = [at for at, pattern in enumerate(patterns) if pattern.strip() == "*"]
    edits: list[tuple[Edit, ...]] = [
        (Set((*place, "disabled"), draw(st.booleans())),),
        (Insert((*place, "excluded-models"), "*"),),
    ]
    if "disabled" in entry:
        edits.append((Remove((*place, "disabled")),))
    if stars:
        edits.append(tuple(Remove((*place, "excluded-models", at)) for at in reversed(stars)))
    if stars and len(stars) == len(patterns):
        edits.append((Remove((*place, "excluded-models")),))
    return draw(st.sampled_from(edits))


@st.composite
def pools(draw: st.DrawFn) -> tuple[dict[str, Any], Style, list[EntryChange]]:
    entries = [
        {name: value for name, value in draw(MAPPINGS).items() if name != "disabled"} | draw(SWITCH)
        for _ in range(draw(st.integers(1, 5)))
    ]
    document = {"alpha": 1, **draw(MAPPINGS)}
    document["providers"] = entries
    chosen = draw(st.sets(st.integers(0, len(entries) - 1), min_size=1))
    changes = [EntryChange(("providers", at), draw(switches(entries[at], ("providers", at)))) for at in sorted(chosen)]
    return document, draw(STYLES), changes


@THOROUGH
@given(pools(), st.randoms())
def test_what_was_changed_is_put_back_to_the_character_whatever_the_layout(
    case: tuple[dict[str, Any], Style, list[EntryChange]], random: Any
) -> None:
    document, style, changes = case
    text = write(document, style)
    after = reversibly(text, parse_document(text), changes)
    assert set(after.inverses) == {change.entry for change in changes}
    back = [EntryChange(change.entry, (), after.inverses[change.entry]) for change in changes]
    random.shuffle(back)
    for change in back:  # one by one, and each of them can be taken back as well
        before = after
        after = reversibly(after.text, after.document, [change])
        again = reversibly(after.text, after.document, [EntryChange(change.entry, (), after.inverses[change.entry])])
        assert again.text == before.text
    assert after.text == text


@THOROUGH
@given(pools(), st.data())
def test_no_comment_or_value_is_kept_whatever_is_changed(
    case: tuple[dict[str, Any], Style, list[EntryChange]], data: st.DataObject
) -> None:
    document, style, changes = case
    document = secretive(document)
    text = write(document, style).replace("# note", f"# {SECRET} note")
    for change in changes:  # besides a switch, anything that could be written in its place
        names = sorted(document["providers"][change.entry[1]])
        edits = [change.edits, *((Remove((*change.entry, name)),) for name in names)]
        edits += [(Set((*change.entry, name), value=True),) for name in names]
        tried = EntryChange(change.entry, data.draw(st.sampled_from(edits)))
        after = reversibly(text, parse_document(text), [tried])
        taken = [EntryChange(change.entry, (), back) for back in after.inverses.values()]
        again = reversibly(after.text, after.document, taken)
        kept = [back.encode() for back in (*after.inverses.values(), *again.inverses.values())]
        assert not [word for word in kept if "sk-" in word or "oyster" in word or "note" in word]


def secretive(value: Any) -> Any:
    """Return a document whose texts are secrets, but for what switches."""
    if isinstance(value, dict):
        return {name: secretive(item) for name, item in value.items()}
    if isinstance(value, list):
        return [secretive(item) for item in value]
    return f"{SECRET} {value}" if isinstance(value, str) and value.strip() != "*" else value


LISTED = f"""\
providers:
  - name: a
    excluded-models: # {SECRET}
      - "*" # {SECRET}
      # - {SECRET}
      - '*'
  - name: b
    excluded-models: [old-*, "*", new-*, '*']
"""


@pytest.mark.parametrize(
    ("entry", "edits"),
    [
        (0, (Remove(("providers", 0, "excluded-models")),)),
        (0, (Remove(("providers", 0, "excluded-models", 1)), Remove(("providers", 0, "excluded-models", 0)))),
        (1, (Remove(("providers", 1, "excluded-models", 3)), Remove(("providers", 1, "excluded-models", 1)))),
    ],
)
def test_comments_and_patterns_between_what_switches_are_not_kept_and_put_back(
    entry: int, edits: tuple[Edit, ...]
) -> None:
    text, inverses = switched(EntryChange(place(entry), edits), text=LISTED)
    assert SECRET in text
    (word,) = [back.encode() for back in inverses.values()]
    assert not [each for each in (SECRET, "old", "new", "#") if each in word]
    back = Inverse.decode(word)
    assert switched(EntryChange(place(entry), (), back), text=text)[0] == LISTED


@pytest.mark.parametrize("switch", [f"&{SECRET} true", f"!{SECRET} true", f'"{SECRET}"', f"|-\n      {SECRET}", "7"])
def test_a_switch_in_other_words_is_not_kept(switch: str) -> None:
    text = f"providers:\n  - name: a\n    disabled: {switch}\n"
    assert Inverse.of(text, "providers:\n  - name: a\n    disabled: false\n") is None


def test_a_word_that_would_put_anything_else_into_the_file_is_none() -> None:
    good = Inverse.of("disabled: no", "disabled: true")
    assert good is not None
    assert Inverse.decode(good.encode()) == good
    for bad in ("no\\nbase-url: http://elsewhere", "# no", "sk-1"):
        assert Inverse.decode(good.encode().replace('"no"', f'"{bad}"')) is None


def switched(*changes: EntryChange, text: str = POOL) -> tuple[str, dict[tuple[str | int, ...], Inverse]]:
    result = reversibly(text, parse_document(text), changes)
    return result.text, dict(result.inverses)


def place(number: int, *rest: str | int) -> tuple[str | int, ...]:
    return ("providers", number, *rest)


CHANGES = (
    EntryChange(place(0), (Set(place(0, "disabled"), value=True),)),
    EntryChange(place(1), (Set(place(1, "disabled"), value=True),)),
    EntryChange(place(2), (Remove(place(2, "patterns", 1)),)),
    EntryChange(place(3), (Remove(place(3, "disabled")),)),
)


def test_an_entry_somebody_has_written_in_since_is_edited_instead_and_the_others_are_put_back() -> None:
    text, inverses = switched(*CHANGES)
    text = text.replace("key: sk-1", "key: sk-2")
    edits: tuple[Edit, ...] = (Set(place(0, "disabled"), value=False),)
    backs = [EntryChange(entry, edits if entry == place(0) else (), back) for entry, back in inverses.items()]
    found, _ = switched(*backs, text=text)
    assert found == POOL.replace("key: sk-1\n", "key: sk-2\n    disabled: false\n")


def test_an_inverse_that_would_change_another_entry_is_not_used() -> None:
    text = "providers:\n  - &a {name: a, disabled: true}\n  - *a\n"
    crafted = Inverse.of("- &a {name: a}\n  ", "- &a {name: a, disabled: true}\n  ")
    found = reversibly(text, parse_document(text), [EntryChange(place(0), (), crafted)])
    assert (found.text, found.inverses) == (text, {})


def test_an_inverse_is_one_word_that_comes_back_and_anything_else_is_none() -> None:
    _, inverses = switched(*CHANGES)
    assert [Inverse.decode(back.encode()) for back in inverses.values()] == list(inverses.values())
    assert "sk-1" not in "".join(back.encode() for back in inverses.values())
    assert [
        Inverse.decode(word) for word in ("", "[1]", "{", '["a","b",1,2,"no"]', '["a","b",[1]]', "[" * 100_000)
    ] == [None] * 6
