"""The place of a socket that a gateway connects to, before the service listens there."""

import socket
from pathlib import Path

import pytest

from extension.plugin.handshake import free_socket
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
