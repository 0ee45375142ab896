//! Whether the gateway still serves this plugin.
//!
//! Theory: a gateway that removes the plugin takes its routes away and then waits for the calls that are under way
//! before it calls the library; a plugin that is disabled hears nothing at all. A call that takes long looks at the
//! gateway itself: two answers 404 for one of our pages mean that the plugin is served no more.

use std::time::{Duration, Instant};

use tokio::net::TcpStream;
use tokio::sync::{Mutex, OnceCell};

use crate::host::gateway::own_authority;
use crate::host::manifest::{PAGE, RESOURCES};

/// Header of such a request, which the library answers by itself.
pub const HEADER: &str = "X-Poolkeeper-Presence";
const BEGINS: Duration = Duration::from_secs(1);
/// Longest wait for an answer; a test waits as long as a busy machine takes.
const PATIENCE: Duration = Duration::from_secs(if cfg!(test) { 60 } else { 1 });
const PAUSE: Duration = Duration::from_millis(300);
/// Pause while the plugin is disabled: each look is a line in the log of the gateway.
const AGAIN: Duration = Duration::from_secs(5);
const MISSES: u32 = 2;
const MISSING: u16 = 404;

/// Looks at the gateway, for any number of calls together.
#[derive(Default)]
pub struct Presence {
    served: OnceCell<String>,
    seen: Mutex<(Option<Instant>, u32)>,
}

impl Presence {
    /// Note the address at which the gateway serves the plugin; without one, nothing can be said later.
    pub async fn establish(&self) {
        if let Some(authority) = own_authority() {
            self.establish_at(authority).await;
        }
    }

    async fn establish_at(&self, authority: String) {
        if !self.served.initialized() && matches!(status(&authority).await, Some(200..=299)) {
            drop(self.served.set(authority));
        }
    }

    /// Wait until the gateway serves the plugin no more; begins to look after a second.
    pub async fn gone(&self) {
        tokio::time::sleep(BEGINS).await;
        while !self.is_gone().await {
            tokio::time::sleep(PAUSE).await;
        }
    }

    pub async fn is_gone(&self) -> bool {
        self.misses().await >= MISSES
    }

    pub async fn back(&self) {
        while self.is_gone().await {
            tokio::time::sleep(AGAIN).await;
        }
    }

    async fn misses(&self) -> u32 {
        let Some(authority) = self.served.get() else { return 0 };
        let mut seen = self.seen.lock().await;
        if seen.0.is_none_or(|last| last.elapsed() >= PAUSE) {
            let misses = match status(authority).await {
                Some(MISSING) => seen.1 + 1,
                Some(_) => 0,
                None => seen.1, // an unanswered look says nothing
            };
            *seen = (Some(Instant::now()), misses);
        }
        seen.1
    }
}

/// Return the status of one of our pages; none without an answer in time.
async fn status(authority: &str) -> Option<u16> {
    tokio::time::timeout(PATIENCE, asked(authority)).await.ok().flatten()
}

async fn asked(authority: &str) -> Option<u16> {
    let stream = TcpStream::connect(authority).await.ok()?;
    let request =
        format!("GET {RESOURCES}{PAGE} HTTP/1.1\r\nHost: {authority}\r\n{HEADER}: 1\r\nConnection: close\r\n\r\n");
    stream.writable().await.ok()?;
    if stream.try_write(request.as_bytes()).ok()? < request.len() {
        return None;
    }
    let (mut answer, mut read) = ([0; 12], 0);
    while read < answer.len() {
        stream.readable().await.ok()?;
        match stream.try_read(&mut answer[read..]) {
            Ok(more @ 1..) => read += more,
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {}
            _ => return None,
        }
    }
    std::str::from_utf8(&answer).ok()?.strip_prefix("HTTP/1.")?.get(2..)?.parse().ok()
}

#[cfg(test)]
#[path = "../../../../../tests/extension/plugin/shim/host/presence.rs"]
mod tests;
