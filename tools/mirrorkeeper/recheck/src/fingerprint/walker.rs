//! A thread that takes steps of the walk and keeps what it finds.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, DirEntry, Metadata};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::queue::Queue;
use super::{content, line, Contents};
use crate::account::{Ground, Kind};
use crate::moment::{newest, FileTime};
use crate::way;

/// Entries of a folder in one part: few enough for all processors to have work in one large folder.
const ENTRIES: usize = 256;
/// Number of the part that holds the ground itself; those of folders begin after it.
const ITSELF: usize = 0;

/// One step: a ground, a folder, or a part of a folder.
pub struct Step<'a> {
    root: usize,
    ground: &'a Ground<'a>,
    task: Task,
}

enum Task {
    Ground,
    Folder(Arc<Path>),
    Part(Arc<Path>, usize, Vec<Named>),
}

type Named = (OsString, DirEntry);

impl<'a> Step<'a> {
    /// Return the step that begins with a ground.
    pub fn ground(root: usize, ground: &'a Ground<'a>) -> Self {
        let task = Task::Ground;
        Self { root, ground, task }
    }

    fn with(&self, task: Task) -> Self {
        Self { task, ..*self }
    }
}

/// The digest of one part, with its place: number of the ground, folder below it, number within the folder.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub struct Part {
    root: usize,
    folder: Box<[u8]>,
    number: usize,
    digest: [u8; 32],
}

impl Part {
    /// Add place and digest to that of the whole.
    pub fn add_to(&self, whole: &mut Sha256) {
        for number in [self.root, self.folder.len(), self.number] {
            whole.update((number as u64).to_le_bytes());
        }
        whole.update(&self.folder);
        whole.update(self.digest);
    }
}

/// A walker: what it found so far.
pub struct Walker<'q, 'a> {
    queue: &'q Queue<Step<'a>>,
    reads: bool,
    /// Digests of the parts it took.
    pub parts: Vec<Part>,
    /// The newest time it saw.
    pub newest: FileTime,
    /// Devices it saw, each with a path on it.
    pub devices: BTreeMap<u64, PathBuf>,
    more: Vec<Step<'a>>,
    lines: Vec<u8>,
    room: Vec<u8>,
}

impl<'q, 'a> Walker<'q, 'a> {
    /// Return a walker that has found nothing yet.
    pub fn new(queue: &'q Queue<Step<'a>>, contents: Contents) -> Self {
        Self {
            queue,
            reads: contents == Contents::Read,
            parts: Vec::new(),
            newest: FileTime::default(),
            devices: BTreeMap::new(),
            more: Vec::new(),
            lines: Vec::new(),
            room: Vec::new(),
        }
    }

    /// Take steps until there are none, or one fails here or elsewhere.
    pub fn walk(mut self) -> io::Result<Self> {
        while let Some(mut step) = self.queue.take() {
            let taken = match std::mem::replace(&mut step.task, Task::Ground) {
                Task::Ground => self.take_ground(&step),
                Task::Folder(folder) => self.take_folder(&step, &folder),
                Task::Part(folder, number, entries) => self.take_part(&step, &folder, number, &entries),
            };
            if let Err(error) = taken {
                self.queue.stop();
                return Err(error);
            }
            self.queue.done(&mut self.more);
        }
        Ok(self)
    }

    fn take_ground(&mut self, step: &Step<'a>) -> io::Result<()> {
        let Ground { kind, path } = *step.ground;
        for one in way::passed(path)?.0 {
            line::add_place(&mut self.lines, &one);
        }
        if let Some(found) = there(fs::symlink_metadata(path))? {
            self.see(path, &found);
            line::add(&mut self.lines, b"", &found);
            if kind == Kind::Entry && found.is_symlink() {
                line::add_text(&mut self.lines, fs::read_link(path)?.as_os_str().as_bytes());
                if let Some(target) = there(fs::metadata(path))? {
                    self.see(path, &target);
                    line::add(&mut self.lines, b"", &target);
                }
            }
            if self.reads && kind == Kind::Bytes {
                self.add_content(&found, || path.to_owned())?;
            }
            admit(step, &found)?;
            if matches!(kind, Kind::Tree | Kind::Linkless | Kind::Bytes) && found.is_dir() {
                self.more.push(step.with(Task::Folder(path.into())));
            }
        }
        self.end_part(step, path, ITSELF);
        Ok(())
    }

    fn take_folder(&mut self, step: &Step<'a>, folder: &Arc<Path>) -> io::Result<()> {
        let mut entries: Vec<Named> = Vec::new();
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            entries.push((entry.file_name(), entry));
        }
        entries.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        let mut number = ITSELF + 1;
        while entries.len() > ENTRIES {
            let rest = entries.split_off(ENTRIES);
            self.more.push(step.with(Task::Part(folder.clone(), number, entries)));
            entries = rest;
            number += 1;
        }
        self.take_part(step, folder, number, &entries)
    }

    fn take_part(&mut self, step: &Step<'a>, folder: &Path, number: usize, entries: &[Named]) -> io::Result<()> {
        for (name, entry) in entries {
            let found = entry.metadata()?;
            self.see(folder, &found);
            admit(step, &found)?;
            line::add(&mut self.lines, name.as_bytes(), &found);
            if self.reads && step.ground.kind == Kind::Bytes {
                self.add_content(&found, || folder.join(name))?;
            }
            if found.is_dir() {
                self.more.push(step.with(Task::Folder(folder.join(name).into())));
            }
        }
        self.end_part(step, folder, number);
        Ok(())
    }

    fn add_content(&mut self, found: &Metadata, path: impl Fn() -> PathBuf) -> io::Result<()> {
        if found.is_file() {
            self.room.resize(content::ROOM, 0);
            let digest = content::digest(&path(), found, &mut self.room)?;
            self.lines.extend(digest);
        } else if found.is_symlink() {
            line::add_text(&mut self.lines, fs::read_link(path())?.as_os_str().as_bytes());
        }
        Ok(())
    }

    fn end_part(&mut self, step: &Step<'a>, folder: &Path, number: usize) {
        let base = step.ground.path.as_os_str().len();
        self.parts.push(Part {
            root: step.root,
            folder: folder.as_os_str().as_bytes()[base..].into(),
            number,
            digest: Sha256::digest(&self.lines).into(),
        });
        self.lines.clear();
    }

    fn see(&mut self, place: &Path, found: &Metadata) {
        self.newest = self.newest.max(newest(found));
        self.devices.entry(found.dev()).or_insert_with(|| place.to_owned());
    }
}

/// Refuse a link where the answer rests on there being none.
fn admit(step: &Step<'_>, found: &Metadata) -> io::Result<()> {
    if step.ground.kind == Kind::Linkless && found.is_symlink() {
        return Err(io::Error::other("a link, in a tree without links"));
    }
    Ok(())
}

/// Return what was found, or None where there is nothing; that something cannot be looked at is an error.
pub fn there<T>(found: io::Result<T>) -> io::Result<Option<T>> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(None),
        Err(error) => Err(error),
    }
}
