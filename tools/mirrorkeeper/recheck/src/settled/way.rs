//! The way to a path: every folder and link that the system passes.

use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::fs::{self, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path, PathBuf};

use super::file_system;
use crate::moment::{newest, Moment};

const LINKS_AT_MOST: usize = 40;
const STICKY: u32 = 0o1000;

/// Return whether nothing on the way to a path has changed since the call.
///
/// Everybody makes files in `/tmp` all the time: the times of a folder for all do not count, but where the path ends in
/// nothing, because what was there may have been removed from it.
pub fn is_settled(path: &Path, asked: Moment) -> bool {
    let Ok((passed, is_whole)) = passed(path) else {
        return false;
    };
    let last = passed.len() - 1;
    passed.iter().enumerate().all(|(place, (path, found))| {
        let is_for_all = found.is_dir() && found.mode() & STICKY != 0;
        let counts = !is_for_all || (place == last && !is_whole);
        (!counts || asked.settled(newest(found))) && file_system::is_reliable(path)
    })
}

/// Return everything that is passed, the end included, and whether the path is there to its end.
fn passed(path: &Path) -> io::Result<(Vec<(PathBuf, Metadata)>, bool)> {
    let mut here = PathBuf::from("/");
    let mut passed = vec![(here.clone(), fs::symlink_metadata(&here)?)];
    let mut left: VecDeque<OsString> = names(path).collect();
    let mut links = 0;
    while let Some(name) = left.pop_front() {
        if name == ".." {
            here.pop();
            continue;
        }
        let next = here.join(name);
        let found = match fs::symlink_metadata(&next) {
            Ok(found) => found,
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                return Ok((passed, false));
            }
            Err(error) => return Err(error),
        };
        if found.is_symlink() {
            links += 1;
            if links > LINKS_AT_MOST {
                return Err(io::Error::other("too many links"));
            }
            let target = fs::read_link(&next)?;
            if target.is_absolute() {
                here = PathBuf::from("/");
            }
            left = names(&target).chain(left).collect();
            passed.push((next, found));
        } else {
            here.clone_from(&next);
            passed.push((next, found));
        }
    }
    Ok((passed, true))
}

fn names(path: &Path) -> impl Iterator<Item = OsString> + '_ {
    let named = |part: Component| match part {
        Component::Normal(name) => Some(name.to_owned()),
        Component::ParentDir => Some(OsStr::new("..").to_owned()),
        _ => None,
    };
    path.components().filter_map(named)
}
