from hypothesis import given
from hypothesis import strategies as st

from extension.cli.client.event_stream import ServerEvent, parse_events

EVENT = 'data: {"seq": 3, "kind": "result", "run": 1, "data": {"seqs": [7]}}'


def test_an_event_is_complete_at_the_empty_line() -> None:
    assert list(parse_events(["id: 3", "event: result", EVENT])) == []
    assert list(parse_events(["id: 3", EVENT, ""])) == [ServerEvent(3, "result", 1, {"seqs": [7]})]


def test_line_ends_signs_of_life_and_foreign_events_do_not_matter() -> None:
    lines = [": ping\r\n", "\r\n", "data: hello\r\n", "\r\n", f"{EVENT}\r\n", "\r\n", "retry: 5\n", "\n"]

    assert [event.seq for event in parse_events(lines)] == [3]


def test_data_over_several_lines_is_one_text() -> None:
    lines = ['data: {"seq": 1, "kind": "pool",', 'data: "run": null, "data": {}}', ""]

    assert list(parse_events(lines)) == [ServerEvent(1, "pool", None, {})]


@given(st.lists(st.sampled_from(["", EVENT, "data", "data:", "data: 5", "data: {}", ":", "id: 9", "x: y"]) | st.text()))
def test_whatever_comes_nothing_but_whole_events_is_told(lines: list[str]) -> None:
    told = list(parse_events(lines))

    assert all(event == ServerEvent(3, "result", 1, {"seqs": [7]}) for event in told)
    assert len(told) <= lines.count(EVENT)
