//! Folder of the sockets between this library and its process, for our user alone.

use std::fs;
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

const PREFIX: &str = "poolkeeper-sockets-";
static NEXT: AtomicU32 = AtomicU32::new(0);

/// Addresses of sockets end at 107 bytes, and the process makes a folder of its own below ours.
const LONGEST_PARENT: usize = 40;

/// Return the folder for temporary files; the usual one where the configured one is too long for a socket below it.
pub fn parent() -> PathBuf {
    short_enough(std::env::temp_dir())
}

fn short_enough(configured: PathBuf) -> PathBuf {
    if configured.as_os_str().len() <= LONGEST_PARENT {
        configured
    } else {
        PathBuf::from("/tmp")
    }
}

pub struct SocketFolder(PathBuf);

impl SocketFolder {
    /// Make a folder for this gateway process, and remove those of processes that are gone.
    pub fn make(parent: &Path) -> io::Result<Self> {
        remove_stale(parent, process_is_gone);
        loop {
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let path = parent.join(format!("{PREFIX}{}-{number}", std::process::id()));
            match fs::DirBuilder::new().mode(0o700).create(&path) {
                Ok(()) => return Ok(Self(path)),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for SocketFolder {
    fn drop(&mut self) {
        // A folder that cannot be removed now is removed at the next start.
        drop(fs::remove_dir_all(&self.0));
    }
}

fn own_user() -> u32 {
    // SAFETY: it has no preconditions.
    unsafe { libc::geteuid() }
}

fn process_is_gone(process: i32) -> bool {
    // SAFETY: signal 0 only asks.
    unsafe { libc::kill(process, 0) != 0 && io::Error::last_os_error().raw_os_error() == Some(libc::ESRCH) }
}

fn remove_stale(parent: &Path, gone: impl Fn(i32) -> bool) {
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let Some(rest) = name.to_str().and_then(|name| name.strip_prefix(PREFIX)) else {
            continue;
        };
        let process = rest.split('-').next().and_then(|number| number.parse::<i32>().ok());
        let ours = entry.metadata().is_ok_and(|found| found.is_dir() && found.uid() == own_user());
        if ours && process.is_some_and(|number| number > 0 && gone(number)) {
            drop(fs::remove_dir_all(entry.path()));
        }
    }
}

/// Longest path of a socket that the process takes, too; an address ends at 107 bytes.
const LONGEST: usize = 102;

/// Refuse a path that is too long, a socket of another user, and a folder that everybody can write; root may own it.
pub fn check_socket(socket: &Path) -> Result<(), String> {
    let length = socket.as_os_str().len();
    if length > LONGEST {
        return Err(format!(
            "the path of the socket has {length} bytes, and {LONGEST} at most are possible: choose a shorter one, \
             in the setting socket and for --socket"
        ));
    }
    let folder = folder_of(socket);
    for path in [folder, socket] {
        let found = fs::symlink_metadata(path)
            .map_err(|error| format!("{}: {error}{}", path.display(), foreign_folder(socket)))?;
        if path == socket && found.uid() != own_user() && found.uid() != 0 {
            return Err(format!(
                "{} belongs to user {}, not to user {} of the gateway: run both as one user",
                path.display(),
                found.uid(),
                own_user()
            ));
        }
        if path == folder && found.mode() & 0o002 != 0 && found.mode() & 0o1000 == 0 {
            return Err(format!("{} can be written by everybody: make it chmod 0700", path.display()));
        }
    }
    Ok(())
}

fn folder_of(socket: &Path) -> &Path {
    socket.parent().unwrap_or(Path::new("/"))
}

/// Say behind an error at a socket whose folder it is, where that is not ours.
fn foreign_folder(socket: &Path) -> String {
    let folder = folder_of(socket);
    match fs::symlink_metadata(folder) {
        Ok(found) if found.uid() != own_user() => format!(
            "; {} belongs to user {}, not to user {} of the gateway: run both as one user",
            folder.display(),
            found.uid(),
            own_user()
        ),
        _ => String::new(),
    }
}

#[cfg(test)]
#[path = "../../../../../tests/extension/plugin/shim/child/socket_folder.rs"]
mod tests;
