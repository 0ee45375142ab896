//! Pauses between two attempts to have a process: 50 ms, doubling to 5 s; a process that was ready for 2 s starts over.

use std::time::Duration;

const FIRST: Duration = Duration::from_millis(50);
const LONGEST: Duration = Duration::from_secs(5);
/// Time after which a process counts as one that runs.
pub const LONG_LIFE: Duration = Duration::from_secs(2);

/// The next pause.
pub struct Backoff(Duration);

impl Default for Backoff {
    fn default() -> Self {
        Self(FIRST)
    }
}

impl Backoff {
    /// Return the pause after an attempt that was ready for `lived`.
    pub fn after(&mut self, lived: Duration) -> Duration {
        if lived >= LONG_LIFE {
            self.0 = FIRST;
        }
        let pause = self.0;
        self.0 = (pause * 2).min(LONGEST);
        pause
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_five_seconds() {
        let mut backoff = Backoff::default();

        let pauses: Vec<u128> = (0..9).map(|_| backoff.after(Duration::ZERO).as_millis()).collect();

        assert_eq!(pauses, [50, 100, 200, 400, 800, 1600, 3200, 5000, 5000]);
    }

    #[test]
    fn a_long_life_starts_over() {
        let mut backoff = Backoff::default();
        backoff.after(Duration::ZERO);
        backoff.after(Duration::ZERO);

        assert_eq!(backoff.after(LONG_LIFE), FIRST);
    }
}
