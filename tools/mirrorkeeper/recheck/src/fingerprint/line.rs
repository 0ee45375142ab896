//! One entry of a folder as bytes: what is known of it without opening it.

use std::fs::Metadata;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;

use crate::way::Passed;

/// Append what is known of an entry; after the name, whose length goes before it, everything has a fixed size.
pub fn add(line: &mut Vec<u8>, name: &[u8], found: &Metadata) {
    add_text(line, name);
    // The mode holds the type as well.
    for number in [found.mode(), found.uid(), found.gid()] {
        line.extend(number.to_le_bytes());
    }
    for number in [found.size(), found.dev(), found.ino()] {
        line.extend(number.to_le_bytes());
    }
    for time in [found.mtime(), found.mtime_nsec(), found.ctime(), found.ctime_nsec()] {
        line.extend(time.to_le_bytes());
    }
}

/// Append what makes a folder or link on the way to a path the one it was. Times are left out: other files come and go
/// beside the path.
pub fn add_place(line: &mut Vec<u8>, passed: &Passed) {
    add_text(line, passed.path.as_os_str().as_bytes());
    let found = &passed.found;
    for number in [found.mode(), found.uid(), found.gid()] {
        line.extend(number.to_le_bytes());
    }
    for number in [found.dev(), found.ino()] {
        line.extend(number.to_le_bytes());
    }
    if let Some(target) = &passed.target {
        add_text(line, target.as_os_str().as_bytes());
    }
}

/// Append bytes of any length.
pub fn add_text(line: &mut Vec<u8>, text: &[u8]) {
    line.extend((text.len() as u64).to_le_bytes());
    line.extend(text);
}
