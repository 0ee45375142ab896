"""People who sign releases, with keys that are made for a test run."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

from tests.tools.mirrorkeeper.repositories import WHO, Fork, Upstream, make_fork

SIGNERS = "mirror/allowed_signers"


@dataclass(frozen=True)
class Signer:
    """Somebody who signs tags and commits with a key for ssh."""

    key: Path

    @property
    def public(self) -> str:
        """The public key, as a line."""
        return self.key.with_suffix(".pub").read_text(encoding="utf-8").strip()

    def tag(self, upstream: Upstream, name: str) -> None:
        """Sign a tag of the newest commit."""
        options = ("-c", "gpg.format=ssh", "-c", f"user.signingKey={self.key}")
        upstream.git.run(*options, "tag", "--sign", f"--message={name}", name, environment=WHO)

    def commit(self, upstream: Upstream, name: str) -> None:
        """Sign a commit, and give it a plain tag."""
        options = ("-c", "gpg.format=ssh", "-c", f"user.signingKey={self.key}")
        upstream.git.run(
            *options, "commit", "--quiet", "--allow-empty", "--gpg-sign", f"--message={name}", environment=WHO
        )
        upstream.git.run("tag", name)


def make_signer(folder: Path, name: str) -> Signer:
    command = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", name, "-f", str(folder / name)]
    subprocess.run(command, check=True)
    return Signer(folder / name)


def asking(folder: Path, upstream: Upstream, policy: str, signer: Signer) -> Fork:
    fork = make_fork(
        folder, str(upstream.folder), f'[signatures]\npolicy = "{policy}"\nallowed_signers = "{SIGNERS}"\n'
    )
    (fork.root / SIGNERS).write_text(f'ann@example.test namespaces="git" {signer.public}\n', encoding="utf-8")
    return fork
