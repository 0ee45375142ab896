//! The way to a path: every folder and link that the system passes.

use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::fs::{self, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path, PathBuf};

use super::file_system::Devices;
use crate::moment::{content_time, entry_time, newest, Moment};

const LINKS_AT_MOST: usize = 40;

/// Return whether nothing on the way to a path was put in the place of something else since the call.
///
/// Files are made and removed in `/tmp` and in a home all the time. That gives a folder one time for its content and its
/// entry, and tells nothing about what lies in it by another name; renaming the folder changes the time of its entry
/// alone. Where the path ends in nothing, however, what was there may have been removed.
pub fn is_settled(path: &Path, asked: Moment, known: &mut Devices) -> bool {
    let Ok((passed, is_whole)) = passed(path) else {
        return false;
    };
    let last = passed.len() - 1;
    passed.iter().enumerate().all(|(place, (path, found))| {
        let ends_here = place == last && !is_whole;
        let only_holds = found.is_dir() && !ends_here && content_time(found) == entry_time(found);
        (only_holds || asked.settled(newest(found))) && known.is_reliable(found.dev(), path)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_passed_and_followed() {
        let folder = std::env::temp_dir()
            .canonicalize()
            .unwrap()
            .join(format!("way-{}", std::process::id()));
        fs::create_dir_all(folder.join("real/inner")).unwrap();
        std::os::unix::fs::symlink("real/../real", folder.join("link")).unwrap();
        let (found, is_whole) = passed(&folder.join("link/inner/none")).unwrap();
        let below: Vec<_> = found
            .iter()
            .filter_map(|(path, _)| path.strip_prefix(&folder).ok())
            .collect();
        fs::remove_dir_all(&folder).unwrap();

        assert_eq!(below, ["", "link", "real", "real", "real/inner"].map(Path::new));
        assert!(!is_whole);
    }
}
