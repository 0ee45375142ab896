"""Signatures of a release: checked by git itself, with the keys the project names and no user's settings.

A signature is of the tag, or of the commit when the tag has none. Everything needed is in the raw objects, which the
lock keeps, so that it can be checked again offline at any time.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

from ...declaration.declaration import Declaration
from ...declaration.policy import Policy
from ...errors import ToolError
from ...git.command import Git, create_bare
from ...git.objects import header_value
from ...lockfile.pin import Signature
from ...project import Project
from ...system.working_folder import working_folder

_MARKS = {
    b"-----BEGIN SSH SIGNATURE-----": "ssh",
    b"-----BEGIN PGP SIGNATURE-----": "openpgp",
    b"-----BEGIN SIGNED MESSAGE-----": "x509",
}
_SSH = re.compile(r'^Good "git" signature for (.+) with \S+ key (\S+)$', re.MULTILINE)
_SSH_KEY = re.compile(r'^Good "git" signature with \S+ key (\S+)$', re.MULTILINE)
_UNMATCHED = "No principal matched."
_FLAWS = {
    "REVKEYSIG": "the key {} was revoked",
    "EXPKEYSIG": "the key {} has expired; a newer export may prolong it",
    "EXPSIG": "it has expired, and the key {} made it",
    "BADSIG": "it is that of another text, made with the key {}",
    "NO_PUBKEY": "none of those whose signatures count has the key {}",
}
"""Words for the marks that gpg gives a signature."""
_SIGNER = re.compile(r"^\[GNUPG:\] GOODSIG \S+ (.+)$", re.MULTILINE)
_FINGERPRINT = re.compile(r"^\[GNUPG:\] VALIDSIG (\S+)", re.MULTILINE)


def signed_object(tag_object: bytes, commit_object: bytes) -> tuple[str, str] | None:
    """Return the object that carries the signature (`tag` or `commit`) and its kind; None for neither."""
    # A commit's signature is a header; in its message the same line means nothing.
    head = b"\n".join(line[1:] if line[:1] == b" " else b"" for line in _signature_lines(commit_object))
    for name, text in (("tag", tag_object), ("commit", head)):
        for mark, kind in _MARKS.items():
            if text.startswith(mark) or b"\n" + mark in text:
                return name, kind
    return None


def _signature_lines(commit_object: bytes) -> list[bytes]:
    lines = commit_object.partition(b"\n\n")[0].split(b"\n")
    start = next((at for at, line in enumerate(lines) if line.startswith(b"gpgsig")), len(lines))
    return [b" " + lines[start].partition(b" ")[2], *lines[start + 1 :]] if start < len(lines) else []


def check_signature(
    project: Project, declaration: Declaration, name: str, objects: tuple[bytes, bytes], object_format: str
) -> Signature | None:
    """Check the signature of a release as the declaration's policy asks, and say whose it is.

    Args:
        project: the project, whose keys count.
        declaration: its declaration.
        name: the release's name in messages.
        objects: the raw tag object (empty without one) and the raw commit object.
        object_format: of the upstream.

    Returns:
        None when no signature is required, or when it is not signed and need not be.

    Raises:
        ToolError: it is not signed and has to be, the signature is not good, or it cannot be checked here.
    """
    policy = declaration.signatures.policy
    if policy is Policy.OFF:
        return None
    found = signed_object(*objects)
    if found is None:
        if policy is Policy.RECORDED:
            return None
        raise ToolError(
            f"{name} is not signed, and {project.declaration} requires it", "take a signed release, or ask the upstream"
        )
    signed, kind = found
    if signed == "tag" and header_value(objects[0], "tag") != name:
        text = f"the tag {name} carries the signed tag {header_value(objects[0], 'tag')!r}"
        raise ToolError(text, "a signature says nothing of another name; ask the upstream")
    body = objects[0] if signed == "tag" else objects[1]
    with working_folder("signature-") as folder:
        git = create_bare(Path(folder) / "objects", object_format)
        oid = git.run("hash-object", "-t", signed, "-w", "--literally", "--stdin", stdin=body).text
        said, good = _asked(project, declaration, git, kind, (f"verify-{signed}", "--raw", oid))
    signature = _read(signed, kind, said) if good else None
    if signature is None:
        raise ToolError(
            f"the {kind} signature of the {signed} of {name} is not good: {signature_flaw(said)}",
            f"find out why; whose signatures count stands in {project.declaration}, [signatures]",
        )
    return signature


def _asked(
    project: Project, declaration: Declaration, git: Git, kind: str, command: tuple[str, ...]
) -> tuple[str, bool]:
    """Return git's verdict about the signature, and whether it is good."""
    keys = declaration.signatures
    if kind == "ssh":
        signers = _file(project, keys.allowed_signers, "allowed_signers", kind)
        output = git.run("-c", f"gpg.ssh.allowedSignersFile={signers}", *command, check=False)
        return output.stderr, output.status == 0
    if kind == "openpgp":
        ring = git.folder.parent / "keys"
        ring.mkdir(mode=0o700)
        _import(_file(project, keys.keys, "keys", kind), ring)
        output = git.run(*command, check=False, environment={"GNUPGHOME": str(ring)})
        return output.stderr, output.status == 0
    raise ToolError(f"{kind} signatures cannot be checked", 'the policy "off" takes releases as they are')


def _file(project: Project, name: str, key: str, kind: str) -> Path:
    if not name:
        raise ToolError(
            f"the release has an {kind} signature, and {project.declaration} names no keys for it",
            f"name a file: {key} in [signatures]",
        )
    path = project.root / name
    if not path.is_file():
        raise ToolError(f"{name} is not there: whose signatures count is not known", f"{key} in [signatures] names it")
    return path


def _import(keys: Path, ring: Path) -> None:
    command = ["gpg", "--batch", "--quiet", "--no-autostart", "--homedir", str(ring), "--import", str(keys)]
    try:
        done = subprocess.run(command, capture_output=True, check=False, env={**os.environ, "LC_ALL": "C"})
    except OSError as error:
        raise ToolError(f"gpg could not be started: {error.strerror}", "install GnuPG") from error
    if done.returncode != 0:
        raise ToolError(f"{keys} holds no keys that gpg can read", "gpg --armor --export writes such a file")


def signature_flaw(said: str) -> str:
    """Return what is wrong with a signature, by what git, ssh-keygen and gpg say of it."""
    for mark, text in _FLAWS.items():
        if found := re.search(rf"^\[GNUPG:\] {mark} (\S+)", said, re.MULTILINE):
            return text.format(found[1])
    lines = [line for line in said.splitlines() if line and "GNUPG" not in line]
    closer = [line for line in lines if line != _UNMATCHED and not line.startswith('Good "git"')]
    made = _SSH_KEY.search(said)
    if closer or made is None:
        return (closer or lines or ["git gives no reason"])[-1]
    return f"none of those whose signatures count has the key {made[1]}"


def _read(signed: str, kind: str, said: str) -> Signature | None:
    if kind == "ssh":
        match = _SSH.search(said)
        return Signature(signed, kind, match[1], match[2]) if match else None
    signer, fingerprint = _SIGNER.search(said), _FINGERPRINT.search(said)
    return Signature(signed, kind, signer[1], fingerprint[1]) if signer and fingerprint else None
