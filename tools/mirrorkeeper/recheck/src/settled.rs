//! Whether a fingerprint tells of the things as they were when the command looked at them.
//!
//! Theory: the fingerprint is taken after the command has ended. A change in between must leave a time that is newer
//! than the call, on what is listed or on the way to it: a folder or link that was put in another's place has a new time
//! itself (`way_is_settled`), because renaming changes that of the renamed, and what disappeared changes the time of its folder. Three
//! things break this: a file system whose times say less (`file_system`), a clock that is set while the command runs,
//! and a change within the same tick of the clock, for which everything has to be at rest for a while (`Moment`).

mod file_system;

use std::os::unix::fs::MetadataExt;

use crate::account::{Ground, Kind};
use crate::fingerprint::Fingerprint;
use crate::moment::{content_time, entry_time, newest, Moment};
use crate::way;
use file_system::Devices;

/// Return whether nothing the answer rested on can have changed since the call, as far as times can tell.
pub fn is_settled(fingerprint: &Fingerprint, grounds: &[Ground], asked: Moment) -> bool {
    let mut known = Devices::default();
    asked.settled(fingerprint.newest)
        && fingerprint
            .devices
            .iter()
            .all(|(device, place)| known.is_reliable(*device, place))
        && grounds.iter().all(|ground| way_is_settled(ground, asked, &mut known))
        && !asked.clock_was_set_since()
}

/// Return whether nothing on the way to a path was put in the place of something else since the call.
///
/// Files are made and removed in `/tmp` and in a home all the time. That gives a folder one time for its content and its
/// entry, and tells nothing about what lies in it by another name; renaming the folder changes the time of its entry
/// alone. Where the path ends in nothing, however, what was there may have been removed, unless there
/// was nothing before the check.
fn way_is_settled(ground: &Ground, asked: Moment, known: &mut Devices) -> bool {
    let Ok((passed, is_whole)) = way::passed(ground.path) else {
        return false;
    };
    let last = passed.len() - 1;
    passed.iter().enumerate().all(|(place, one)| {
        let ends_here = place == last && !is_whole && ground.kind != Kind::Absent;
        let only_holds = one.found.is_dir() && !ends_here && content_time(&one.found) == entry_time(&one.found);
        (only_holds || asked.settled(newest(&one.found))) && known.is_reliable(one.found.dev(), &one.path)
    })
}
