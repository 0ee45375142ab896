import stat

import pytest

from extension.store.data_folder import DataFolder
from extension.store.database.database import Database
from extension.store.errors import DataFolderUnusable, InstallationKeyLost
from extension.store.installation import installation_key


def test_the_key_is_made_once_and_stays(folder: DataFolder) -> None:
    first = installation_key(folder)
    assert len(first) == 32
    assert installation_key(folder) == first
    assert stat.S_IMODE((folder.path / "secret.key").stat().st_mode) == 0o600


def test_two_installations_have_different_keys(folder: DataFolder, tmp_path_factory: pytest.TempPathFactory) -> None:
    with DataFolder.open(tmp_path_factory.mktemp("other") / "data") as other:
        assert installation_key(folder) != installation_key(other)


def test_a_key_file_that_others_may_read_is_made_private(folder: DataFolder) -> None:
    installation_key(folder)
    (folder.path / "secret.key").chmod(0o644)
    installation_key(folder)
    assert stat.S_IMODE((folder.path / "secret.key").stat().st_mode) == 0o600


@pytest.mark.parametrize("content", ["", "00ff\n", "zz" * 32, "ab" * 31, "\u00e9" * 64])
def test_a_damaged_key_is_refused_without_being_shown(folder: DataFolder, content: str) -> None:
    (folder.path / "secret.key").write_text(content, encoding="utf-8")
    with pytest.raises(InstallationKeyLost, match="Restore it from a backup") as caught:
        installation_key(folder)
    assert not content.strip() or content.strip() not in str(caught.value)
    assert (folder.path / "secret.key").read_text(encoding="utf-8") == content


async def test_a_lost_key_is_not_replaced_beside_a_database(folder: DataFolder) -> None:
    installation_key(folder)
    await (await Database.open(folder)).close()
    (folder.path / "secret.key").unlink()
    with pytest.raises(InstallationKeyLost, match=r"move poolkeeper\.db away"):
        installation_key(folder)
    assert not (folder.path / "secret.key").exists()


def test_what_a_crash_left_half_written_is_written_anew(folder: DataFolder) -> None:
    (folder.path / ".secret.key.new").write_text("abc")
    assert len(installation_key(folder)) == 32
    assert sorted(entry.name for entry in folder.path.iterdir()) == ["secret.key", "service.lock"]


def test_a_key_that_cannot_be_read_is_told_in_one_line(folder: DataFolder) -> None:
    (folder.path / "secret.key").mkdir()
    with pytest.raises(DataFolderUnusable, match="cannot be read or written: Is a directory"):
        installation_key(folder)
