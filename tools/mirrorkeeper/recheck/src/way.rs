//! The way to a path: every folder and link that the system passes.

use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::fs::{self, Metadata};
use std::io;
use std::path::{Component, Path, PathBuf};

const LINKS_AT_MOST: usize = 40;

/// One folder or link on the way, or the end itself.
pub struct Passed {
    /// Its path, without a link before its name.
    pub path: PathBuf,
    /// What is known of it; links are not followed.
    pub found: Metadata,
    /// Target of a link.
    pub target: Option<PathBuf>,
}

/// Return everything that is passed, the end included, and whether the path is there to its end.
pub fn passed(path: &Path) -> io::Result<(Vec<Passed>, bool)> {
    let mut here = PathBuf::from("/");
    let mut passed = vec![Passed {
        path: here.clone(),
        found: fs::symlink_metadata(&here)?,
        target: None,
    }];
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
        let mut target = None;
        if found.is_symlink() {
            links += 1;
            if links > LINKS_AT_MOST {
                return Err(io::Error::other("too many links"));
            }
            let leads_to = fs::read_link(&next)?;
            if leads_to.is_absolute() {
                here = PathBuf::from("/");
            }
            left = names(&leads_to).chain(left).collect();
            target = Some(leads_to);
        } else {
            here.clone_from(&next);
        }
        passed.push(Passed {
            path: next,
            found,
            target,
        });
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
            .filter_map(|one| one.path.strip_prefix(&folder).ok())
            .collect();
        fs::remove_dir_all(&folder).unwrap();

        assert_eq!(below, ["", "link", "real", "real", "real/inner"].map(Path::new));
        assert!(!is_whole);
    }
}
