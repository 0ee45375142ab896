"""Signed releases: real keys, real signatures, checked with nobody's own settings."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.mirror.source.signers import SIGNERS, Signer, asking
from tests.tools.mirrorkeeper.repositories import WHO, Upstream, make_fork
from tools.mirrorkeeper.declaration.declaration import read_declaration
from tools.mirrorkeeper.errors import ToolError
from tools.mirrorkeeper.lockfile.pin import read_pin
from tools.mirrorkeeper.mirror.source.signature import signed_object
from tools.mirrorkeeper.mirror.verify.verify import VerifyOptions, verify


def test_a_signed_tag_is_pinned_with_its_signer_and_proven_offline(
    tmp_path: Path, upstream: Upstream, ann: Signer
) -> None:
    ann.tag(upstream, "v1.1.0")
    fork = asking(tmp_path / "fork", upstream, "required", ann)
    fork.sync("v1.1.0")
    fork.commit()
    shutil.rmtree(upstream.folder)

    pin = read_pin(fork.project)
    assert pin is not None
    assert pin.signature is not None
    assert (pin.signature.object, pin.signature.kind, pin.signature.signer) == ("tag", "ssh", "ann@example.test")
    assert pin.signature.key.startswith("SHA256:")
    assert fork.said[-1].startswith("brought the mirror to v1.1.0: 3 files, signed by ann@example.test")
    assert verify(fork.project, VerifyOptions(prove=True, strict=True)).status == 0


def test_a_tag_signed_by_somebody_else_is_refused_and_nothing_is_written(
    tmp_path: Path, upstream: Upstream, ann: Signer, bob: Signer
) -> None:
    bob.tag(upstream, "v1.1.0")
    for policy in ("required", "recorded"):
        fork = asking(tmp_path / policy, upstream, policy, ann)
        with pytest.raises(ToolError, match=r"ssh signature of the tag of v1\.1\.0 is not good"):
            fork.sync("v1.1.0")
        assert not fork.mirror.exists()


def test_an_unsigned_release_is_taken_unless_signatures_are_required(
    tmp_path: Path, upstream: Upstream, ann: Signer
) -> None:
    recorded = asking(tmp_path / "recorded", upstream, "recorded", ann)
    recorded.sync("v1.0.0")
    assert recorded.codes(prove=True) == []

    required = asking(tmp_path / "required", upstream, "required", ann)
    with pytest.raises(ToolError, match=r"v1\.0\.0 is not signed, and mirror/upstream\.toml requires it"):
        required.sync("v1.0.0")


def test_a_signed_commit_counts_where_the_tag_has_no_signature(tmp_path: Path, upstream: Upstream, ann: Signer) -> None:
    ann.commit(upstream, "v1.1.0")
    fork = asking(tmp_path / "fork", upstream, "required", ann)
    fork.sync("v1.1.0")

    pin = read_pin(fork.project)
    assert pin is not None
    assert pin.signature is not None
    assert pin.signature.object == "commit"
    assert fork.codes(prove=True) == []


@pytest.mark.parametrize("policy", ["off", "recorded"])
def test_an_unsigned_tag_under_another_name_is_refused(
    tmp_path: Path, upstream: Upstream, ann: Signer, policy: str
) -> None:
    upstream.git.run("update-ref", "refs/tags/v9.9.9", upstream.git.run("rev-parse", "refs/tags/v1.0.0").text)
    fork = asking(tmp_path / "fork", upstream, policy, ann)

    with pytest.raises(ToolError, match=r"the tag v9\.9\.9 carries the tag object 'v1\.0\.0'"):
        fork.sync("v9.9.9")
    assert read_pin(fork.project) is None
    fork.sync(upstream.git.run("rev-parse", "v9.9.9^{commit}").text)
    assert fork.codes(prove=True) == []


def test_a_signed_tag_under_another_name_is_refused(tmp_path: Path, upstream: Upstream, ann: Signer) -> None:
    ann.tag(upstream, "v1.1.0")
    upstream.git.run("update-ref", "refs/tags/v9.9.9", upstream.git.run("rev-parse", "refs/tags/v1.1.0").text)
    fork = asking(tmp_path / "fork", upstream, "required", ann)

    with pytest.raises(ToolError, match=r"the tag v9\.9\.9 carries the signed tag 'v1\.1\.0'"):
        fork.sync("v9.9.9")


def test_a_changed_tag_object_and_a_withdrawn_key_are_found(
    tmp_path: Path, upstream: Upstream, ann: Signer, bob: Signer
) -> None:
    ann.tag(upstream, "v1.1.0")
    fork = asking(tmp_path / "fork", upstream, "required", ann)
    fork.sync("v1.1.0")
    (fork.root / SIGNERS).write_text(f"bob@example.test {bob.public}\n", encoding="utf-8")
    assert fork.codes() == []
    assert fork.codes(prove=True) == ["PIN010"]
    (fork.root / SIGNERS).unlink()
    assert fork.codes(prove=True) == ["PIN010"]

    text = fork.project.lock_path.read_text(encoding="utf-8")
    fork.project.lock_path.write_text(text.replace("tagger Ann", "tagger Eve"), encoding="utf-8")
    assert set(fork.codes(prove=True)) == {"PIN001", "PIN010"}


def test_a_policy_taken_up_later_asks_for_a_new_synchronization(
    tmp_path: Path, upstream: Upstream, ann: Signer
) -> None:
    ann.tag(upstream, "v1.1.0")
    fork = asking(tmp_path / "fork", upstream, "off", ann)
    fork.sync("v1.1.0")
    assert b"signature =" not in fork.project.lock_path.read_bytes()
    fork.commit()
    path = fork.project.declaration_path
    path.write_text(path.read_text(encoding="utf-8").replace('"off"', '"recorded"'), encoding="utf-8")
    assert fork.codes() == ["PIN010"]

    fork.sync()
    assert fork.codes(prove=True) == []


def test_a_signature_that_the_policy_does_not_check_proves_nothing(
    tmp_path: Path, upstream: Upstream, ann: Signer
) -> None:
    ann.tag(upstream, "v1.1.0")
    fork = asking(tmp_path / "fork", upstream, "required", ann)
    fork.sync("v1.1.0")
    fork.commit()
    path = fork.project.declaration_path
    for policy, word in (("required", "proven from"), ("off", "consistent with")):
        path.write_text(path.read_text(encoding="utf-8").replace('"required"', f'"{policy}"'), encoding="utf-8")
        (check,) = verify(fork.project, VerifyOptions(prove=True)).checks
        assert word in check.summary


def test_settings_and_keys_of_the_person_at_work_do_not_count(
    tmp_path: Path, upstream: Upstream, ann: Signer, bob: Signer, monkeypatch: pytest.MonkeyPatch
) -> None:
    bob.tag(upstream, "v1.1.0")
    (tmp_path / "trusted").write_text(f"bob@example.test {bob.public}\n", encoding="utf-8")
    (tmp_path / "settings").write_text(f"[gpg.ssh]\n\tallowedSignersFile = {tmp_path / 'trusted'}\n", encoding="utf-8")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "settings"))
    fork = asking(tmp_path / "fork", upstream, "required", ann)

    with pytest.raises(ToolError, match="is not good"):
        fork.sync("v1.1.0")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('policy = "require"', "'require' is no policy for signatures"),
        ('policy = "required"', "does not say whose signatures count"),
        ('policy = "off"\nallowed_signer = "x"', "unknown key `allowed_signer`"),
        ('policy = "off"\nkeys = "mirror/gateway/keys"', "must lie outside the mirrored folder"),
    ],
)
def test_a_policy_that_is_wrong_is_refused_with_what_to_do(
    tmp_path: Path, upstream: Upstream, text: str, message: str
) -> None:
    fork = make_fork(tmp_path / "fork", str(upstream.folder), f"[signatures]\n{text}\n")

    with pytest.raises(ToolError, match=message):
        read_declaration(fork.project)


def test_a_mark_in_a_message_is_no_signature() -> None:
    mark = b"-----BEGIN SSH SIGNATURE-----\n"
    commit = b"tree 1\nauthor a\n\nmessage\n" + mark
    signed = b"tree 1\nauthor a\ngpgsig " + mark + b" abc\n -----END SSH SIGNATURE-----\n\nmessage\n"

    assert signed_object(b"", commit) is None
    assert signed_object(b"", signed) == ("commit", "ssh")
    assert signed_object(b"tag v1\n\ntext\n" + mark, signed) == ("tag", "ssh")


@pytest.fixture
def ring() -> Iterator[Path]:
    """A key ring with one key, its folder's name short enough for gpg's agent."""
    if shutil.which("gpg") is None:
        pytest.fail("GnuPG is missing: install it (Debian: apt-get install gnupg), then run the tests again")
    with tempfile.TemporaryDirectory(prefix="gpg-", dir="/tmp") as name:
        _gpg(Path(name), "--passphrase", "", "--quick-generate-key", "Ann <ann@example.test>", "ed25519", "sign", "0")
        yield Path(name)
        subprocess.run(["gpgconf", "--homedir", name, "--kill", "all"], check=False, capture_output=True)


def _gpg(ring: Path, *arguments: str) -> bytes:
    command = ["gpg", "--batch", "--quiet", "--homedir", str(ring), *arguments]
    return subprocess.run(command, check=True, capture_output=True).stdout


def test_a_release_signed_by_openpgp_is_checked_in_a_ring_of_its_own(
    tmp_path: Path, upstream: Upstream, ring: Path
) -> None:
    environment = {**WHO, "GNUPGHOME": str(ring)}
    options = ("--local-user=ann@example.test", "--message=v1.1.0")
    upstream.git.run("tag", *options, "v1.1.0", environment=environment)
    fork = make_fork(
        tmp_path / "fork", str(upstream.folder), '[signatures]\npolicy = "required"\nkeys = "mirror/keys.asc"\n'
    )
    (fork.root / "mirror/keys.asc").write_bytes(_gpg(ring, "--armor", "--export", "ann@example.test"))
    fork.sync("v1.1.0")

    pin = read_pin(fork.project)
    assert pin is not None
    assert pin.signature is not None
    assert (pin.signature.kind, pin.signature.signer) == ("openpgp", "Ann <ann@example.test>")
    assert fork.codes(prove=True) == []
    (fork.root / "mirror/keys.asc").write_bytes(b"no keys\n")
    assert fork.codes(prove=True) == ["PIN010"]
