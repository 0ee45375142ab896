//! Whether a fingerprint tells of the things as they were when the command looked at them.
//!
//! Theory: the fingerprint is taken after the command has ended. A change in between must leave a time that is newer
//! than the call, on what is listed or on the way to it: a folder or link that was put in another's place has a new time
//! itself (`way`), because renaming changes that of the renamed, and what disappeared changes the time of its folder. Three
//! things break this: a file system whose times say less (`file_system`), a clock that is set while the command runs,
//! and a change within the same tick of the clock, for which everything has to be at rest for a while (`Moment`).

mod file_system;
mod way;

use crate::account::Ground;
use crate::fingerprint::Fingerprint;
use crate::moment::Moment;
use file_system::Devices;

/// Return whether nothing the answer rested on can have changed since the call, as far as times can tell.
pub fn is_settled(fingerprint: &Fingerprint, grounds: &[Ground], asked: Moment) -> bool {
    let mut known = Devices::default();
    asked.settled(fingerprint.newest)
        && fingerprint
            .devices
            .iter()
            .all(|(device, place)| known.is_reliable(*device, place))
        && grounds
            .iter()
            .all(|ground| way::is_settled(ground.path, asked, &mut known))
        && !asked.clock_was_set_since()
}
