"""Code that the upstream moved to another file is named where a patch of it stops."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.repositories import Fork, Upstream
from tests.tools.mirrorkeeper.series.test_series import diff, patched_fork
from tools.mirrorkeeper.errors import Paused
from tools.mirrorkeeper.patch.forward import look_forward

pytestmark = pytest.mark.slow

GREETING = b"def greeting(name):\n    polite = name.strip().title()\n    return f'Good morning, {polite}'\n"
FAREWELL = b"def farewell(name):\n    return f'Until next time, {name}'\n"
OTHERS = b"".join(b"def other_%d():\n    return %d\n\n\n" % (number, number) for number in range(8))
TALK = OTHERS + GREETING + b"\n\n" + FAREWELL
WITHOUT = OTHERS + FAREWELL


@pytest.fixture
def fork(tmp_path: Path, upstream: Upstream) -> Fork:
    """A project at v1.1.1 with a patch of the greeting in `talk.py`."""
    upstream.commit({"talk.py": TALK, "words.py": b"WORDS = ()\n"}, tag="v1.1.1")
    patch = diff(upstream, {"talk.py": TALK.replace(b"Good morning", b"Good evening")})
    made = patched_fork(tmp_path / "fork", upstream, patch)
    made.sync("v1.1.1")
    made.commit()
    return made


def moved_lines(fork: Fork, tag: str) -> list[str]:
    """The lines of the conflict screen about moved code, without the hunk they are about."""
    with pytest.raises(Paused) as caught:
        fork.sync(tag)
    found = [re.fullmatch(r"  lines? [\d-]+: (.*)", line) for line in caught.value.details]
    return [match[1] for match in found if match]


def test_a_function_that_moved_to_another_file_is_named_with_its_line(fork: Fork, upstream: Upstream) -> None:
    upstream.commit({"talk.py": WITHOUT, "polite.py": b"import re\n\n\n" + GREETING}, tag="v1.2.0")

    assert moved_lines(fork, "v1.2.0") == ["the upstream moved its lines to polite.py:6"]


def test_a_function_that_moved_twice_is_named_where_it_is_now(fork: Fork, upstream: Upstream) -> None:
    upstream.commit({"talk.py": WITHOUT, "polite.py": GREETING}, tag="v1.2.0")
    upstream.commit({"polite.py": b"# moved\n", "words.py": b"WORDS = ()\n\n\n" + GREETING}, tag="v1.3.0")

    assert moved_lines(fork, "v1.3.0") == ["the upstream moved its lines to words.py:6"]


def test_a_function_that_was_copied_is_named_at_every_place(fork: Fork, upstream: Upstream) -> None:
    files = {"talk.py": WITHOUT, "a.py": GREETING, "b.py": b"\n" + GREETING}
    upstream.commit(files, tag="v1.2.0")

    assert moved_lines(fork, "v1.2.0") == ["its lines now stand at 2 places: a.py:3, b.py:4"]


def test_a_function_that_became_a_method_is_found_by_its_lines_without_the_indent(
    fork: Fork, upstream: Upstream
) -> None:
    method = b"".join(b"    " + line for line in GREETING.splitlines(keepends=True))
    upstream.commit({"talk.py": WITHOUT, "words.py": b"class Speaker:\n" + method}, tag="v1.2.0")

    assert moved_lines(fork, "v1.2.0") == ["the upstream moved its lines to words.py:4"]


def test_a_function_whose_file_is_gone_is_found_in_another_one(fork: Fork, upstream: Upstream) -> None:
    rest = b"".join(b"# all new, line %d\n" % number for number in range(60))
    upstream.commit({"talk.py": None, "words.py": rest + GREETING + rest}, tag="v1.2.0")

    assert moved_lines(fork, "v1.2.0") == ["the upstream moved its lines to words.py:63"]


def test_lines_that_another_file_had_before_did_not_move_there(tmp_path: Path, upstream: Upstream) -> None:
    upstream.commit({"talk.py": TALK, "twin.py": GREETING}, tag="v1.1.1")
    patch = diff(upstream, {"talk.py": TALK.replace(b"Good morning", b"Good evening")})
    fork = patched_fork(tmp_path / "twins", upstream, patch)
    fork.sync("v1.1.1")
    fork.commit()
    upstream.commit({"talk.py": WITHOUT, "twin.py": b"\n" + GREETING}, tag="v1.2.0")

    assert moved_lines(fork, "v1.2.0") == []


def test_lines_that_are_rewritten_in_place_did_not_move(fork: Fork, upstream: Upstream) -> None:
    upstream.commit({"talk.py": TALK.replace(b"Good morning", b"Hello"), "new.py": b"NEW = 1\n"}, tag="v1.2.0")

    assert moved_lines(fork, "v1.2.0") == []


def test_a_look_at_the_releases_ahead_names_the_place(fork: Fork, upstream: Upstream) -> None:
    upstream.commit({"talk.py": WITHOUT, "polite.py": GREETING}, tag="v1.2.0")

    (finding,) = look_forward(fork.project).findings
    assert any(line.endswith("the upstream moved its lines to polite.py:3") for line in finding.details)
