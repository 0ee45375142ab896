"""auth-dir when something is wrong with it."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from gateway.internal.configuration.files import SystemFiles
from gateway.internal.pool.folder import AuthFolder, shown_folder
from tests.conformance.stock import OK, ask, stock

NOW = datetime(2026, 8, 22, 12, tzinfo=UTC)


def names(folder: AuthFolder, shown: Path) -> list[str]:
    return [each.id for each in folder.scan(shown, NOW)]


def test_a_link_that_leads_nowhere_does_not_hide_the_other_files(tmp_path: Path) -> None:
    (tmp_path / "a.json").symlink_to("a.json")
    (tmp_path / "b.json").symlink_to("gone.json")
    (tmp_path / "c.json").write_text('{"type":"claude"}')
    assert names(AuthFolder(SystemFiles()), tmp_path) == ["c.json"]


def test_while_the_folder_cannot_be_read_its_credentials_stay_and_the_log_says_so_once(tmp_path: Path) -> None:
    shown, aside = tmp_path / "auths", tmp_path / "aside"
    shown.mkdir()
    (shown / "a.json").write_text('{"type":"claude"}')
    folder = AuthFolder(SystemFiles())
    assert names(folder, shown) == ["a.json"]
    before = folder.fingerprint(shown)
    shown.rename(aside)
    shown.write_text("")
    with capture_logs() as logs:
        assert [names(folder, shown) for _ in range(2)] == [["a.json"]] * 2
    assert len(logs) == 1
    assert folder.fingerprint(shown) != before
    assert names(folder, tmp_path / "auths" / "other") == []
    shown.unlink()
    aside.rename(shown)
    (shown / "b.json").write_text('{"type":"claude"}')
    assert names(folder, shown) == ["a.json", "b.json"]


def test_a_tilde_is_the_own_home_whatever_follows_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert [shown_folder(name) for name in ("~", "~/", "~\\mine", "~nobody/x")] == [
        tmp_path,
        tmp_path,
        tmp_path / "mine",
        tmp_path / "nobody" / "x",
    ]


async def test_an_auth_dir_that_is_none_is_a_pool_without_files_until_it_is_corrected(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    async with stock(tmp_path, files={"a.json": '{"type":"claude"}'}) as served:
        good = served.runtime.text
        bad = good.replace(f"{tmp_path}/auths", f"{tmp_path}/file")
        assert (await ask(served, "PUT config.yaml", raw=bad.encode())).status == 200
        assert (await ask(served, "GET auth-files")).json == {"files": []}
        got = await ask(served, "DELETE auth-files?all=true")
        assert (got.status, got.json) == (500, {"error": "failed to read auth dir: not a directory"})
        assert (await ask(served, "PUT debug", {"value": True})).json == OK
        before = served.runtime._look()
        served.runtime.config_path.write_text(good)
        assert served.runtime._look() != before
        await served.runtime.reload()
        assert [each.id for each in served.runtime.snapshot.credentials] == ["a.json"]
