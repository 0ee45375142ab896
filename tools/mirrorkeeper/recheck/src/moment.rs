//! A moment on two clocks, and how old things have to be at it.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Time of a file: seconds and nanoseconds since 1970.
pub type FileTime = (i64, i64);

/// A change can carry the time of the one before: clocks of file systems tick every few milliseconds, some every second.
const SETTLED: Duration = Duration::from_secs(2);
/// The clock of the machine may be corrected by this much while the command runs.
const CORRECTION: Duration = Duration::from_secs(1);

/// A moment: the time of the machine, which can be set, and a clock that cannot.
#[derive(Clone, Copy)]
pub struct Moment {
    /// Time of the machine.
    pub wall: SystemTime,
    steady: Instant,
}

impl Moment {
    /// Return this moment.
    pub fn now() -> Self {
        Self {
            wall: SystemTime::now(),
            steady: Instant::now(),
        }
    }

    /// Return whether a file whose newest time this is was at rest for a while before; a future one was not.
    pub fn settled(&self, newest: FileTime) -> bool {
        let limit = self
            .wall
            .checked_sub(SETTLED)
            .and_then(|limit| limit.duration_since(UNIX_EPOCH).ok());
        limit.is_some_and(|limit| {
            i64::try_from(limit.as_secs()).is_ok_and(|seconds| newest <= (seconds, i64::from(limit.subsec_nanos())))
        })
    }

    /// Return whether the time of the machine was set since then: times of files then tell nothing about their order.
    pub fn clock_was_set_since(&self) -> bool {
        let passed = self.steady.elapsed();
        let seen = SystemTime::now().duration_since(self.wall);
        !seen.is_ok_and(|seen| seen.abs_diff(passed) <= CORRECTION)
    }
}

/// Return the time of the last change of a file's content; for a folder, of its list of names.
pub fn content_time(found: &Metadata) -> FileTime {
    (found.mtime(), found.mtime_nsec())
}

/// Return the time of the last change of anything about a file.
pub fn entry_time(found: &Metadata) -> FileTime {
    (found.ctime(), found.ctime_nsec())
}

/// Return the later of both times.
pub fn newest(found: &Metadata) -> FileTime {
    content_time(found).max(entry_time(found))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: u64) -> Moment {
        Moment {
            wall: UNIX_EPOCH + Duration::from_secs(seconds),
            steady: Instant::now(),
        }
    }

    #[test]
    fn a_file_is_settled_two_seconds_after_its_change() {
        assert!(at(100).settled((98, 0)));
        assert!(!at(100).settled((98, 1)));
    }

    #[test]
    fn a_file_of_the_future_is_not_settled() {
        assert!(!at(100).settled((101, 0)));
    }

    #[test]
    fn a_clock_that_goes_on_was_not_set() {
        assert!(!Moment::now().clock_was_set_since());
    }

    #[test]
    fn a_clock_that_jumped_was_set() {
        let back = Moment::now().wall + Duration::from_secs(5);
        let ahead = Moment::now().wall - Duration::from_secs(5);
        for wall in [back, ahead] {
            let moment = Moment {
                wall,
                steady: Instant::now(),
            };
            assert!(moment.clock_was_set_since());
        }
    }
}
