"""Working files become rows, whether one process reads them or two."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.mirrorkeeper.git.objects import FILE, LINK, PROGRAM, Row, object_id
from tools.mirrorkeeper.git.worktree import read_rows


@pytest.mark.parametrize("count", [7, 4_100])
def test_each_file_has_the_ids_of_its_bytes(tmp_path: Path, count: int) -> None:
    contents = {b"d%d/f%d" % (at % 7, at): b"%d\n" % at for at in range(count)}
    for path, content in contents.items():
        place = tmp_path / path.decode()
        place.parent.mkdir(exist_ok=True)
        place.write_bytes(content)
    (tmp_path / "d0/f0").chmod(0o755)
    (tmp_path / "link").symlink_to("d0/f0")
    digests: dict[bytes, str] = {}

    rows = read_rows(tmp_path, digests=digests)

    expected = [Row(path, FILE, object_id("blob", content)) for path, content in contents.items()]
    expected[0] = expected[0]._replace(mode=PROGRAM)
    assert rows == sorted([*expected, Row(b"link", LINK, object_id("blob", b"d0/f0"))])
    assert digests == {
        **{path: object_id("blob", content, "sha256") for path, content in contents.items()},
        b"link": object_id("blob", b"d0/f0", "sha256"),
    }
