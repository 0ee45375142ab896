"""The place of a socket that a gateway connects to, before the service listens there."""

import os
import socket
from pathlib import Path

import pytest

from extension.plugin.handshake import folder_warning, free_socket
from extension.plugin.process import serve_attached
from extension.serving.errors import NotStarted


def test_a_second_service_leaves_the_socket_of_a_live_one_alone(tmp_path: Path) -> None:
    place = tmp_path / "s"
    with socket.socket(socket.AF_UNIX) as live:
        live.bind(str(place))
        live.listen()
        with pytest.raises(NotStarted, match=r"Another service listens at the socket .* Stop it"):
            serve_attached(place)
        with socket.socket(socket.AF_UNIX) as gateway:
            gateway.connect(str(place))


def test_the_socket_of_a_service_that_ended_is_removed(tmp_path: Path) -> None:
    place = tmp_path / "s"
    with socket.socket(socket.AF_UNIX) as ended:
        ended.bind(str(place))
    free_socket(place)
    assert not place.exists()
    free_socket(place)


def test_a_file_in_the_place_of_the_socket_stays(tmp_path: Path) -> None:
    place = tmp_path / "s"
    place.write_text("an ordinary file")
    with pytest.raises(NotStarted, match="is no socket"):
        free_socket(place)
    assert place.read_text() == "an ordinary file"


def test_a_path_too_long_for_a_socket_is_called_so(tmp_path: Path) -> None:
    folder = tmp_path / ("x" * 100)
    folder.mkdir()
    with pytest.raises(NotStarted, match=r"has \d+ bytes, and 102 at most are possible. Name a shorter one"):
        serve_attached(folder / "plugin.sock")


def test_a_folder_that_a_gateway_refuses_is_warned_of(tmp_path: Path) -> None:
    folder = tmp_path / "shared"
    folder.mkdir()
    place = folder / "s"
    for mode, warned in ((0o700, False), (0o777, True), (0o1777, False), (0o755, False)):
        folder.chmod(mode)
        assert ("chmod 700" in folder_warning(place)) == warned, mode
    assert folder_warning(tmp_path / "absent" / "s") == ""


def test_a_folder_of_another_user_is_warned_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, me = tmp_path / "shared", os.geteuid()
    folder.mkdir(mode=0o700)
    if me == 0:
        os.chown(folder, 65534, 65534)
    else:  # who is not root cannot give a folder away, and looks at their own as another user
        me += 1
        monkeypatch.setattr(os, "geteuid", lambda: me)
    assert f"belongs to user {folder.stat().st_uid}, not to user {me}" in folder_warning(folder / "s")
