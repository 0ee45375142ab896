//! Signs of life of a process, and the end of the wait for one.
//!
//! Theory: an open connection says nothing about a process that is stopped or stuck. When nothing has come from it for a
//! while it is asked for its health. The question stays open until it is answered, so a process that is merely slow
//! answers it late, and lives. Time is counted in turns of this library's own threads: when gateway and process were
//! frozen together, by a suspended machine or a paused container, however long, that is one turn.

use std::future::Future;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;
use std::time::Duration;

use crate::host::presence::Presence;

pub const LIFELESS: u32 = 45;
const QUIET: u32 = 5;
/// Turns from which on, and pause with which, the gateway is asked whether it still serves the plugin.
const ALONE: u32 = 9;
const LOOK: u32 = 3;
const TURN: Duration = Duration::from_secs(1);

#[derive(Clone, Default)]
pub struct Signs(Arc<AtomicU64>);

impl Signs {
    pub fn note(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    fn count(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// A process that gives no sign of life.
#[derive(Debug, PartialEq, Eq)]
pub enum Hung {
    Silent,
    /// The gateway serves the plugin no more: the process was disabled, and cannot notice it.
    Unserved,
}

pub async fn hung<Q: Future>(signs: &Signs, ask: impl Fn() -> Q, presence: &Presence) -> Hung {
    hung_in(TURN, signs, ask, presence).await
}

async fn hung_in<Q: Future>(turn: Duration, signs: &Signs, ask: impl Fn() -> Q, presence: &Presence) -> Hung {
    loop {
        let seen = signs.count();
        tokio::time::sleep(turn * QUIET).await;
        if signs.count() != seen {
            continue;
        }
        tokio::select! {
            _ = ask() => {}
            hung = given_up(turn, signs, seen, presence) => if let Some(hung) = hung { return hung },
        }
    }
}

/// Wait for the end of the patience; none when there was a sign of life meanwhile.
async fn given_up(turn: Duration, signs: &Signs, seen: u64, presence: &Presence) -> Option<Hung> {
    for silent in 1..=LIFELESS {
        tokio::time::sleep(turn).await;
        if signs.count() != seen {
            return None;
        }
        if silent >= ALONE && silent % LOOK == 0 && presence.is_gone().await {
            return Some(Hung::Unserved);
        }
    }
    Some(Hung::Silent)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::{pending, ready};
    use std::time::Instant;

    const SHORT: Duration = Duration::from_millis(4);

    fn run<T>(work: impl Future<Output = T>) -> T {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        runtime.unwrap().block_on(work)
    }

    /// Watch a process for as long as it would take an idle machine to give it up twice.
    async fn watched<Q: Future>(signs: &Signs, ask: impl Fn() -> Q) -> Option<Hung> {
        let presence = Presence::default();
        let limit = SHORT * (QUIET + LIFELESS) * 2;
        tokio::time::timeout(limit, hung_in(SHORT, signs, ask, &presence)).await.ok()
    }

    #[test]
    fn a_process_that_answers_nothing_is_given_up_after_its_time() {
        let began = Instant::now();

        let presence = Presence::default();
        let found = run(hung_in(SHORT, &Signs::default(), pending::<()>, &presence));

        assert_eq!(found, Hung::Silent);
        assert!(began.elapsed() >= SHORT * (QUIET + LIFELESS));
    }

    #[test]
    fn a_process_that_answers_the_question_late_lives() {
        let late = || tokio::time::sleep(SHORT * (LIFELESS * 3 / 4));

        assert_eq!(run(watched(&Signs::default(), late)), None);
        assert_eq!(run(watched(&Signs::default(), || ready(()))), None);
    }

    #[test]
    fn a_process_that_answers_other_calls_lives_without_an_answer_to_the_question() {
        let signs = Signs::default();
        let calls = async {
            loop {
                tokio::time::sleep(SHORT * (LIFELESS / 2)).await;
                signs.note();
            }
        };

        run(async {
            tokio::select! {
                () = calls => {}
                found = watched(&signs, pending::<()>) => assert_eq!(found, None),
            }
        });
    }

    #[test]
    fn a_time_in_which_this_library_was_frozen_too_counts_one_turn() {
        let frozen_once = |found: &mut u32| {
            *found += 1;
            if *found == 3 {
                std::thread::sleep(SHORT * LIFELESS * 2);
            }
        };

        let answered = run(async {
            let signs = Signs::default();
            let mut turns = 0;
            let thaw = async {
                while turns < 3 {
                    tokio::time::sleep(SHORT * 4).await;
                    frozen_once(&mut turns);
                }
                tokio::time::sleep(SHORT * 4).await;
                signs.note();
                pending::<()>().await;
            };
            let presence = Presence::default();
            tokio::select! {
                () = thaw => None,
                found = hung_in(SHORT, &signs, pending::<()>, &presence) => Some(found),
                () = tokio::time::sleep(SHORT * (LIFELESS * 2 + 24)) => None,
            }
        });

        assert_eq!(answered, None);
    }
}
