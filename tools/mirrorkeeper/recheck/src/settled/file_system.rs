//! File systems whose times tell of every change.
//!
//! Theory: `ctime` is the proof that a file is the one it was, and it must come from the clock of this machine. Over a
//! network it comes from another one, which may be late; FAT has none. So the file systems that are known to be right are
//! named, and on any other the command runs each time.

use std::collections::BTreeSet;
use std::ffi::CString;
use std::mem::MaybeUninit;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Devices that were found to be reliable.
#[derive(Default)]
pub struct Devices(BTreeSet<u64>);

impl Devices {
    /// Return whether a device is reliable, of which one path is known.
    pub fn is_reliable(&mut self, device: u64, place: &Path) -> bool {
        self.0.contains(&device) || (is_reliable(place) && self.0.insert(device))
    }
}

/// Return whether the file system that holds a path is one of those; a link counts for the folder it lies in.
fn is_reliable(place: &Path) -> bool {
    let is_link = place.symlink_metadata().is_ok_and(|found| found.is_symlink());
    let place = if is_link {
        place.parent().unwrap_or(place)
    } else {
        place
    };
    let Ok(name) = CString::new(place.as_os_str().as_bytes()) else {
        return false;
    };
    let mut found = MaybeUninit::<libc::statfs>::zeroed();
    // SAFETY: the name ends with a NUL, and zeros are a valid description, which is read only after a success.
    unsafe { libc::statfs(name.as_ptr(), found.as_mut_ptr()) == 0 && is_known(&found.assume_init()) }
}

// ext2 to ext4, XFS, Btrfs, tmpfs, ramfs, overlay, F2FS, ZFS, bcachefs, and SquashFS and EROFS, which nobody writes.
#[cfg(target_os = "linux")]
const KNOWN: [u32; 11] = [
    0x0000_ef53,
    0x5846_5342,
    0x9123_683e,
    0x0102_1994,
    0x8584_58f6,
    0x794c_7630,
    0xf2f5_2010,
    0x2fc1_2fc1,
    0xca45_1a4e,
    0x7371_7368,
    0xe0f5_e1e2,
];

#[cfg(target_os = "linux")]
fn is_known(found: &libc::statfs) -> bool {
    // The number has 32 bits; the type of the field differs by processor and library, and so does its sign.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    KNOWN.contains(&(found.f_type as u32))
}

#[cfg(not(target_os = "linux"))]
fn is_known(found: &libc::statfs) -> bool {
    let name = found.f_fstypename.map(|letter| letter.to_ne_bytes()[0]);
    let is_here = found.f_flags & libc::MNT_LOCAL.unsigned_abs() != 0;
    is_here && (name.starts_with(b"apfs\0") || name.starts_with(b"hfs\0"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_for_programs_lies_on_a_known_file_system() {
        assert!(is_reliable(Path::new("/bin")));
    }

    #[test]
    fn nothing_lies_nowhere() {
        assert!(!is_reliable(Path::new("/nothing/here")));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn files_of_the_kernel_tell_nothing() {
        assert!(!is_reliable(Path::new("/proc/self/status")));
    }
}
