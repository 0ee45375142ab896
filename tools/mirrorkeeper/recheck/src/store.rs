//! The folder of records: below the user's folder for caches, and nobody else's to write in.

use std::env;
use std::ffi::OsStr;
use std::fs::{self, DirBuilder, File, Metadata, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{self, Path, PathBuf};
use std::process;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);
/// Records of projects that are gone would stay otherwise. It counts from the writing: a record in use is simply written
/// anew once a month, and using it does not have to write.
const KEPT: Duration = Duration::from_secs(30 * DAY.as_secs());
const LARGEST: u64 = 64 * 1024 * 1024;
const DRAFT: &str = ".draft-";

/// The records of the user who runs this process.
pub struct Store {
    folder: PathBuf,
}

impl Store {
    /// Return the store, or None when the environment names no place for it.
    pub fn of_this_user() -> Option<Self> {
        let set = |name| env::var_os(name).filter(|value| !value.is_empty());
        let root = if env::var_os("MIRROR_CACHE").is_some() {
            PathBuf::from(set("MIRROR_CACHE")?)
        } else if let Some(caches) = set("XDG_CACHE_HOME") {
            Path::new(&caches).join("upstream-mirrors")
        } else {
            Path::new(&set("HOME")?).join(".cache/upstream-mirrors")
        };
        let folder = path::absolute(root).ok()?.join("verified");
        Some(Self { folder })
    }

    /// Return the record of a key, or None when there is none that can be believed.
    pub fn read(&self, key: &str) -> Option<Vec<u8>> {
        self.is_private().then(|| read_private(&self.folder.join(key)))?
    }

    /// Make an empty file, for this user alone; its folder is made when it is missing.
    pub fn draft(&self) -> io::Result<Draft> {
        if !self.is_private() {
            if let Some(root) = self.folder.parent() {
                fs::create_dir_all(root)?;
            }
            let made = DirBuilder::new().mode(0o700).create(&self.folder);
            if !self.is_private() {
                // It may be another process that made it in between.
                return Err(made.err().unwrap_or_else(|| io::ErrorKind::PermissionDenied.into()));
            }
        }
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let path = self.folder.join(format!("{DRAFT}{}-{}", process::id(), now.as_nanos()));
        let file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&path)?;
        Ok(Draft { path, file })
    }

    /// Keep a record, and remove what is old.
    pub fn keep(&self, key: &str, content: &[u8], now: SystemTime) -> io::Result<()> {
        let mut draft = self.draft()?;
        draft.file.write_all(content)?;
        fs::rename(&draft.path, self.folder.join(key))?;
        for entry in fs::read_dir(&self.folder)?.flatten() {
            let written = entry.metadata().and_then(|metadata| metadata.modified());
            if written.is_ok_and(|written| is_over(&entry.file_name(), written, now)) {
                // Another process may remove it at the same time.
                let _ = fs::remove_file(entry.path());
            }
        }
        Ok(())
    }

    fn is_private(&self) -> bool {
        fs::symlink_metadata(&self.folder).is_ok_and(|found| found.is_dir() && is_private(&found))
    }
}

/// A file at work, which is removed at the end.
pub struct Draft {
    path: PathBuf,
    file: File,
}

impl Draft {
    /// Return where it lies.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Return what was written to it.
    pub fn read(&self) -> Option<Vec<u8>> {
        read_private(&self.path)
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        // It is gone after its renaming; another leftover is removed after a day.
        let _ = fs::remove_file(&self.path);
    }
}

fn read_private(path: &Path) -> Option<Vec<u8>> {
    let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK;
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path).ok()?;
    let found = file.metadata().ok()?;
    if !found.is_file() || !is_private(&found) || found.size() > LARGEST {
        return None;
    }
    let mut content = Vec::new();
    file.take(LARGEST).read_to_end(&mut content).ok()?;
    Some(content)
}

fn is_private(found: &Metadata) -> bool {
    // SAFETY: the call takes nothing, changes nothing and cannot fail.
    let user = unsafe { libc::geteuid() };
    is_written_by_alone(user, found.uid(), found.mode())
}

fn is_written_by_alone(user: u32, owner: u32, mode: u32) -> bool {
    owner == user && mode & 0o022 == 0
}

/// Return whether a file of the store is to be removed; others than its own are left alone.
fn is_over(name: &OsStr, written: SystemTime, now: SystemTime) -> bool {
    let Some(name) = name.to_str() else {
        return false;
    };
    let age = now.duration_since(written).unwrap_or_default();
    let is_record = name.len() == 64 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
    (name.starts_with(DRAFT) && age > DAY) || (is_record && age > KEPT)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn over(name: &str, days: u64) -> bool {
        let now = UNIX_EPOCH + Duration::from_secs(100 * DAY.as_secs());
        is_over(name.as_ref(), now - Duration::from_secs(days * DAY.as_secs() + 1), now)
    }

    #[test]
    fn a_file_is_believed_that_no_other_user_can_have_written() {
        assert!(is_written_by_alone(1000, 1000, 0o600));
        for (owner, mode) in [(0, 0o600), (1001, 0o600), (1000, 0o620), (1000, 0o602)] {
            assert!(!is_written_by_alone(1000, owner, mode), "{owner} {mode:o}");
        }
    }

    #[test]
    fn a_record_is_over_after_thirty_days() {
        assert!(!over(&"0a".repeat(32), 29));
        assert!(over(&"0a".repeat(32), 30));
    }

    #[test]
    fn a_leftover_is_over_after_a_day() {
        assert!(!over(".draft-1-2", 0));
        assert!(over(".draft-1-2", 1));
    }

    #[test]
    fn a_file_of_another_name_stays() {
        assert!(!over("notes", 1000));
        assert!(!over(&"x".repeat(64), 1000));
    }
}
