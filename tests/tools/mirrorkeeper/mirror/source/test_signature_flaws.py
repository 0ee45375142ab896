"""Words for a signature that is not good."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.mirror.source.signers import SIGNERS, Signer, asking
from tests.tools.mirrorkeeper.repositories import Upstream
from tools.mirrorkeeper.errors import ToolError
from tools.mirrorkeeper.mirror.source.signature import signature_flaw


@pytest.mark.parametrize(
    "case",
    [
        ('valid-before="20200101" ', r"key has expired: verify time \S+ > valid-before 2020-01-01"),
        ('namespaces="file" ', 'key is not permitted for use in signature namespace "git"'),
        ("bob", "none of those whose signatures count has the key SHA256:"),
    ],
)
def test_a_refusal_says_what_is_wrong_with_the_key(
    tmp_path: Path, upstream: Upstream, ann: Signer, bob: Signer, case: tuple[str, str]
) -> None:
    options, flaw = case
    ann.tag(upstream, "v1.1.0")
    fork = asking(tmp_path / "fork", upstream, "required", ann)
    line = f"ann@example.test {bob.public}" if options == "bob" else f"ann@example.test {options}{ann.public}"
    (fork.root / SIGNERS).write_text(f"{line}\n", encoding="utf-8")

    with pytest.raises(ToolError, match=f"is not good: .*{flaw}"):
        fork.sync("v1.1.0")


@pytest.mark.parametrize(
    ("said", "flaw"),
    [
        ("[GNUPG:] NEWSIG\n[GNUPG:] ERRSIG 12AB 22 8\n[GNUPG:] NO_PUBKEY 12AB\n", "has the key 12AB"),
        ("[GNUPG:] KEYEXPIRED 1580515200\n[GNUPG:] EXPKEYSIG 12AB Ann\n", "the key 12AB has expired"),
        ("[GNUPG:] REVKEYSIG 12AB Ann\n", "the key 12AB was revoked"),
        ("[GNUPG:] BADSIG 12AB Ann\n", "another text"),
        ("error: no signature found\n", "error: no signature found"),
        ("", "git gives no reason"),
    ],
)
def test_what_the_programs_say_is_told_in_words(said: str, flaw: str) -> None:
    assert flaw in signature_flaw(said)
