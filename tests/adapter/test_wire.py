import dataclasses
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter import port
from adapter.port import Account, AccountRef, Admission, FileRef, KeyRef, Outcome, Section, wire
from adapter.privacy.secret import Secret

st.register_type_strategy(Secret, st.builds(Secret, st.text()))
st.register_type_strategy(float, st.floats(allow_nan=False, allow_infinity=False))

RECORDS = [
    record
    for record in (getattr(port, name) for name in port.__all__)
    if isinstance(record, type) and dataclasses.is_dataclass(record)
]


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.__name__)
@given(data=st.data())
def test_every_record_survives_json(record: type[Any], data: st.DataObject) -> None:
    value = data.draw(st.from_type(record))
    assert wire.decode(record, json.loads(json.dumps(wire.encode(value)))) == value


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.__name__)
def test_every_record_is_frozen(record: type[Any]) -> None:
    assert record.__dataclass_params__.frozen


@pytest.mark.parametrize("union", [Outcome, Admission, AccountRef], ids=["Outcome", "Admission", "AccountRef"])
@given(data=st.data())
def test_every_union_survives_json(union: Any, data: st.DataObject) -> None:
    value = data.draw(st.from_type(union))
    assert wire.decode_any(union, json.loads(json.dumps(wire.encode(value)))) == value


def test_the_members_of_a_union_are_told_apart_by_their_tag() -> None:
    assert wire.encode(KeyRef(Section.CLAUDE, "x")) == {"@": "KeyRef", "section": "claude-api-key", "entry_id": "x"}
    assert wire.encode(FileRef("x")) == {"@": "FileRef", "name": "x"}


@pytest.mark.parametrize(
    "value",
    [
        None,
        7,
        [],
        {},
        {"@": "FileRef"},
        {"@": "FileRef", "name": 7},
        {"@": "FileRef", "name": "x", "more": 1},
        {"@": "KeyRef", "section": "claude-api-key", "entry_id": "x"},
    ],
    ids=str,
)
def test_what_is_no_such_record_is_an_error_that_names_it(value: wire.Json) -> None:
    with pytest.raises(wire.WireError, match="FileRef"):
        wire.decode(FileRef, value)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("section", "no-such-section"),
        ("section", 7),
    ],
)
def test_an_unknown_enum_member_is_an_error_that_names_the_field(field: str, value: wire.Json) -> None:
    with pytest.raises(wire.WireError, match="section"):
        wire.decode(KeyRef, {"@": "KeyRef", "section": "claude-api-key", "entry_id": "x", field: value})


def test_a_union_of_records_refuses_a_tag_it_does_not_have() -> None:
    with pytest.raises(wire.WireError, match="none of"):
        wire.decode_any(AccountRef, {"@": "Pool"})


def test_what_is_no_record_is_not_encoded() -> None:
    with pytest.raises(wire.WireError, match="set"):
        wire.encode({1, 2})


def test_true_is_no_number_and_a_whole_number_is_a_float() -> None:
    with pytest.raises(wire.WireError):
        wire.decode_any(int, True)
    assert wire.decode_any(float, 1) == 1.0


def test_an_account_has_no_field_a_key_could_stand_in() -> None:
    assert not [field.name for field in dataclasses.fields(Account) if field.type is Secret or "key" in field.name]
