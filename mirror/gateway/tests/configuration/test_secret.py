from pathlib import Path

import bcrypt
import pytest

from gateway.internal.configuration.errors import ConfigurationError
from gateway.internal.configuration.files import LONGEST_FILE
from gateway.internal.configuration.secret import hashing_edit, is_hashed
from gateway.internal.configuration.store import ConfigurationFile
from gateway.internal.configuration.writing import Writer
from tests.disk import Disk

TEXT = "# mine\nremote-management:\n  secret-key: 'open sesame' # keep me\nport: 1 # and me\n"


@pytest.mark.parametrize("hashed", ["$2a$10$abc", "$2b$04$abc", "$2y$12$abc"])
def test_a_hash_is_recognised_and_left_alone(hashed: str) -> None:
    assert is_hashed(hashed)
    assert hashing_edit(hashed) is None


@pytest.mark.parametrize("text", ["$2a$", "$2x$10$abc", "$1$abc", "word"])
def test_what_only_looks_like_a_hash_is_clear_text(text: str) -> None:
    assert not is_hashed(text)


def test_an_empty_secret_needs_no_hash() -> None:
    assert hashing_edit("") is None


def test_a_secret_of_72_bytes_is_hashed_and_one_of_73_is_refused() -> None:
    assert hashing_edit("é" * 36, cost=4) is not None
    with pytest.raises(ConfigurationError, match="longer than 72 bytes; choose a shorter one"):
        hashing_edit("é" * 36 + "x", cost=4)


def test_a_clear_text_secret_is_written_back_as_a_hash_and_every_comment_stays() -> None:
    disk = Disk({"/c.yaml": TEXT.encode()})
    path = next(iter(disk.contents))
    loaded = ConfigurationFile(path, disk, Writer(disk), 4).load()
    text = disk.contents[path].decode()
    assert loaded.text == text
    assert bcrypt.checkpw(b"open sesame", loaded.configuration.management.secret_key.encode())
    assert text.replace(loaded.configuration.management.secret_key, "open sesame") == TEXT
    assert "open sesame" not in text


def test_loading_again_does_not_write_again() -> None:
    disk = Disk({"/c.yaml": TEXT.encode()})
    path = next(iter(disk.contents))
    store = ConfigurationFile(path, disk, Writer(disk), 4)
    first = store.load()
    disk.calls.clear()
    assert store.load() == first
    assert disk.calls == ["read"]


def test_an_edit_while_the_secret_is_hashed_is_not_overwritten() -> None:
    class EditedOnce(Disk):
        reads = 0

        def read(self, path: Path, longest: int = LONGEST_FILE) -> bytes:
            content = super().read(path, longest)
            self.reads += 1
            if self.reads == 1:  # hashing comes after the first read
                self.contents[path] = content + b"debug: true # kept\n"
            return content

    disk = EditedOnce({"/c.yaml": TEXT.encode()})
    path = next(iter(disk.contents))
    loaded = ConfigurationFile(path, disk, Writer(disk), 4).load()
    assert loaded.configuration.debug
    assert is_hashed(loaded.configuration.management.secret_key)
    assert disk.contents[path].decode() == loaded.text
    assert loaded.text.endswith("debug: true # kept\n")
