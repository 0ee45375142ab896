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
#[path = "../../../../../tests/extension/plugin/shim/child/liveness.rs"]
mod tests;
