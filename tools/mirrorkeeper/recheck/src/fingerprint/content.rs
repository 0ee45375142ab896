//! Digest of what is in a file.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::moment::newest;

/// Room for what is read at once.
pub const ROOM: usize = 128 * 1024;

/// Return the digest of a regular file that was found before; it must still be that one, and whole.
pub fn digest(path: &Path, found: &Metadata, room: &mut [u8]) -> io::Result<[u8; 32]> {
    let mut file = open(path)?;
    let opened = file.metadata()?;
    if identity(&opened) != identity(found) {
        return Err(changed());
    }
    let mut digest = Sha256::new();
    let mut length = 0_u64;
    loop {
        match file.read(room) {
            Ok(0) => break,
            Ok(count) => {
                length += count as u64;
                digest.update(&room[..count]);
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    if length == found.size() {
        Ok(digest.finalize().into())
    } else {
        Err(changed())
    }
}

/// Open without following a link and without waiting for the other end of a pipe: either may have come in between.
fn open(path: &Path) -> io::Result<File> {
    let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK;
    OpenOptions::new().read(true).custom_flags(flags).open(path)
}

fn identity(file: &Metadata) -> (u64, u64, u32, u64, (i64, i64)) {
    (file.dev(), file.ino(), file.mode(), file.size(), newest(file))
}

fn changed() -> io::Error {
    io::Error::other("it changed while it was read")
}
