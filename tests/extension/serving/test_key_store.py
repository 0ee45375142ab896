import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from adapter.privacy.secret import Secret
from extension.serving import key_store
from extension.serving.key_store import NAME, KeyNotStored, StoredKeyUnusable, forget, is_stored, opened, store

ADDRESS = "http://gateway:8317"
KEY = Secret("the management key")
PASSPHRASE = Secret("correct horse battery")


@pytest.fixture(autouse=True)
def cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    """Derive keys without the cost that makes guesses slow."""
    monkeypatch.setitem(key_store._COST, "n", 2**10)


def test_a_stored_key_opens_with_its_passphrase_and_is_nowhere_in_clear(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    path = store(folder, ADDRESS, KEY, PASSPHRASE)
    assert path.stat().st_mode & 0o777 == 0o600
    assert folder.stat().st_mode & 0o777 == 0o700
    text = path.read_text(encoding="utf-8")
    assert KEY.reveal() not in text
    assert PASSPHRASE.reveal() not in text
    assert opened(folder, ADDRESS, PASSPHRASE).reveal() == KEY.reveal()


def test_a_wrong_passphrase_and_the_file_of_another_gateway_do_not_open(tmp_path: Path) -> None:
    store(tmp_path, ADDRESS, KEY, PASSPHRASE)
    with pytest.raises(StoredKeyUnusable, match=r"does not open .* Nothing was sent"):
        opened(tmp_path, ADDRESS, Secret("wrong horse battery"))
    with pytest.raises(StoredKeyUnusable, match="does not open"):
        opened(tmp_path, "http://another:8317", PASSPHRASE)


def test_a_file_that_was_changed_does_not_open(tmp_path: Path) -> None:
    path = store(tmp_path, ADDRESS, KEY, PASSPHRASE)
    content = json.loads(path.read_text(encoding="utf-8"))
    sealed = content["chacha20-poly1305"]["sealed"]
    content["chacha20-poly1305"]["sealed"] = ("B" if sealed[0] == "A" else "A") + sealed[1:]
    path.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(StoredKeyUnusable, match="does not open"):
        opened(tmp_path, ADDRESS, PASSPHRASE)


@pytest.mark.parametrize(
    "damage",
    [
        lambda _: "no JSON",
        lambda _: "[]",
        lambda content: json.dumps({**content, "version": 2}),
        lambda content: json.dumps({**content, "scrypt": {**content["scrypt"], "n": 2**30}}),
        lambda content: json.dumps({**content, "chacha20-poly1305": {"nonce": "AAAA", "sealed": "AAAA"}}),
        lambda content: json.dumps({**content, "chacha20-poly1305": {}}),
    ],
)
def test_a_file_that_is_not_ours_is_told_so_and_costs_nothing(
    tmp_path: Path, damage: Callable[[dict[str, Any]], str]
) -> None:
    path = store(tmp_path, ADDRESS, KEY, PASSPHRASE)
    path.write_text(damage(json.loads(path.read_text(encoding="utf-8"))), encoding="utf-8")
    with pytest.raises(StoredKeyUnusable, match=r"damaged or of another version\. Remove it"):
        opened(tmp_path, ADDRESS, PASSPHRASE)


def test_storing_again_replaces_and_no_two_files_are_alike(tmp_path: Path) -> None:
    first = store(tmp_path, ADDRESS, KEY, PASSPHRASE).read_bytes()
    second = store(tmp_path, ADDRESS, KEY, PASSPHRASE).read_bytes()
    assert first != second
    assert [path.name for path in tmp_path.iterdir()] == [NAME]


def test_a_short_passphrase_and_a_folder_that_is_a_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(KeyNotStored, match="at least 8 characters"):
        store(tmp_path, ADDRESS, KEY, Secret("short"))
    (tmp_path / "file").write_text("")
    with pytest.raises(KeyNotStored, match="Choose another folder"):
        store(tmp_path / "file", ADDRESS, KEY, PASSPHRASE)
    assert not is_stored(tmp_path)


def test_forgetting_removes_it_and_says_whether_there_was_one(tmp_path: Path) -> None:
    store(tmp_path, ADDRESS, KEY, PASSPHRASE)
    assert is_stored(tmp_path)
    assert forget(tmp_path)
    assert not forget(tmp_path)
    assert not is_stored(tmp_path)
