"""The folder of a stopped stock gateway, and a built library for the commands that install it."""

from pathlib import Path

import pytest

from tests.extension.plugin.built_library import library


@pytest.fixture
def built(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A built library that the commands find."""
    path = tmp_path_factory.mktemp("built") / "library.so"
    path.write_bytes(library())
    monkeypatch.setattr("extension.cli.plugin.native_library", lambda: path)
    monkeypatch.setattr("extension.plugin.install.library.native_library", lambda: path)
    return path


@pytest.fixture
def gateway(tmp_path: Path) -> Path:
    """The folder of a gateway with a configuration."""
    folder = tmp_path / "gateway"
    folder.mkdir()
    (folder / "config.yaml").write_text("port: 1\n", encoding="utf-8")
    return folder
