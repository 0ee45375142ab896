"""The search for attributes in a text, beside the expressions that say the same."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from tools.mirrorkeeper.mirror.tree.attributes.named_attributes import (
    CONVERTING,
    FURTHER,
    sets_anything,
    turns_on,
)

NAMES = (*CONVERTING, *FURTHER)
ANY = re.compile(rb"(?<![\w!-])(?:" + "|".join(NAMES).encode() + rb")\b|\[attr\]")

texts = st.lists(
    st.sampled_from([*(name.encode() for name in NAMES), b"[attr]", b" ", b"\n", b"!", b"-", b"_", b"=", b"x", b"\xe4"])
).map(b"".join)


@given(texts)
def test_an_attribute_is_found_where_a_word_begins_and_ends(content: bytes) -> None:
    assert sets_anything(content) == (ANY.search(content) is not None)
    for name in NAMES:
        wanted = re.search(rb"(?<![\w!-])%b\b" % name.encode(), content) is not None
        assert turns_on(name, content) == wanted
