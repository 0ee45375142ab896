//! Fingerprint of everything that an answer rested on.
//!
//! Theory: every folder is listed, sorted by name and cut into parts of a fixed number of entries; a part's digest is
//! over one line for each entry. Parts are independent of each other, so that all processors take them in whatever order
//! they come (`queue`, `walker`), and the fingerprint is over all digests in the order of their places.
//!
//! Without contents it believes the times of files. A program that wrote to a file through memory and still holds that
//! memory can change it without a new time; git does not see that either. Contents are seen in any case.

mod content;
mod line;
mod queue;
mod walker;

use std::collections::BTreeMap;
use std::io;
use std::iter::once;
use std::panic::resume_unwind;
use std::path::PathBuf;
use std::thread::{self, Builder};

use sha2::{Digest, Sha256};

use crate::account::Ground;
use crate::moment::FileTime;
use queue::Queue;
use walker::{Part, Step, Walker};

/// More of them wait for each other.
const PROCESSORS_AT_MOST: usize = 8;

/// A fingerprint, and what tells whether it can be relied on.
pub struct Fingerprint {
    /// The fingerprint itself.
    pub digest: [u8; 32],
    /// The newest time seen.
    pub newest: FileTime,
    /// Devices seen, each with a path on it.
    pub devices: BTreeMap<u64, PathBuf>,
}

/// Whether files whose contents count are read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Contents {
    /// They are.
    Read,
    /// They are not: enough to see that everything is at rest.
    LeftOut,
}

impl Fingerprint {
    /// Take the fingerprint; anything that cannot be read is an error.
    pub fn take(grounds: &[Ground], contents: Contents) -> io::Result<Self> {
        let queue = Queue::new(
            grounds
                .iter()
                .enumerate()
                .map(|(root, ground)| Step::ground(root, ground)),
        );
        let processors = thread::available_parallelism()
            .map_or(1, usize::from)
            .min(PROCESSORS_AT_MOST);
        let walkers: io::Result<Vec<Walker>> = thread::scope(|scope| {
            // Where no thread is to be had, this one does everything.
            let start = |_| {
                Builder::new()
                    .spawn_scoped(scope, || Walker::new(&queue, contents).walk())
                    .ok()
            };
            let others: Vec<_> = (1..processors).filter_map(start).collect();
            let own = Walker::new(&queue, contents).walk();
            let joined = others
                .into_iter()
                .map(|other| other.join().unwrap_or_else(|panic| resume_unwind(panic)));
            once(own).chain(joined).collect()
        });
        Ok(combined(walkers?))
    }
}

fn combined(walkers: Vec<Walker>) -> Fingerprint {
    let mut parts: Vec<Part> = Vec::new();
    let mut newest = FileTime::default();
    let mut devices = BTreeMap::new();
    for walker in walkers {
        parts.extend(walker.parts);
        newest = newest.max(walker.newest);
        devices.extend(walker.devices);
    }
    parts.sort_unstable();
    let mut digest = Sha256::new();
    for part in parts {
        part.add_to(&mut digest);
    }
    let digest = digest.finalize().into();
    Fingerprint {
        digest,
        newest,
        devices,
    }
}
