from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.mirror.source.signers import Signer, make_signer


@pytest.fixture(scope="session")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("keys")


@pytest.fixture(scope="session")
def ann(keys: Path) -> Signer:
    """Somebody whose signature counts."""
    return make_signer(keys, "ann")


@pytest.fixture(scope="session")
def bob(keys: Path) -> Signer:
    """Somebody whose signature does not count."""
    return make_signer(keys, "bob")
