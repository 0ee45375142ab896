//! Keeps one process running and connected, on threads of its own.
//!
//! Theory: the gateway waits for no process. Register and reconfigure only leave settings here; a task lets one process
//! live after the other. Every fault leads back to the start after a pause.

use std::future::Future;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::runtime::{Builder, Handle, Runtime};
use tokio::task::JoinHandle;

use crate::child::life::{life, stopped, End, News};
use crate::child::shared::{Shared, Standing};
use crate::child::signals::{block_sigpipe, THREAD_NAME};
use crate::host::abi::Host;
use crate::host::manifest;
use crate::settings::{Launch, Settings};

const STOP: Duration = Duration::from_millis(4500);
const FIRST: Duration = Duration::from_millis(50);
const LONGEST: Duration = Duration::from_secs(5);
/// Time after which a process counts as one that runs.
const LONG_LIFE: Duration = Duration::from_secs(2);

pub struct Keeper {
    handle: Handle,
    running: Mutex<Option<(Runtime, JoinHandle<()>)>>,
    shared: Arc<Shared>,
}

impl Keeper {
    pub fn start(host: Host, settings: Settings) -> io::Result<Self> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .max_blocking_threads(16)
            .thread_name(THREAD_NAME)
            .on_thread_start(block_sigpipe)
            .enable_io()
            .enable_time()
            .build()?;
        let shared = Arc::new(Shared::new(host, settings));
        let task = runtime.spawn(keep(Arc::clone(&shared)));
        Ok(Self { handle: runtime.handle().clone(), running: Mutex::new(Some((runtime, task))), shared })
    }

    pub fn standing(&self) -> Standing {
        self.shared.standing()
    }

    /// Return whether the process has no management key of its own and needs the caller's.
    pub fn needs_key(&self) -> bool {
        !self.shared.settings.borrow().key_file && std::env::var_os("MANAGEMENT_PASSWORD").is_none()
    }

    pub fn launch(&self) -> Launch {
        self.shared.settings.borrow().launch.clone()
    }

    pub fn rewrites_json(&self) -> bool {
        !manifest::keeps_json(self.shared.settings.borrow().schema)
    }

    /// Wait until no call is to be answered any more: the library is shut down, or the gateway serves it no more.
    pub fn ending(&self) -> impl Future<Output = ()> + Send + 'static {
        let shared = Arc::clone(&self.shared);
        async move {
            let mut stop = shared.stop.subscribe();
            tokio::select! {
                () = stopped(&mut stop) => {}
                () = shared.presence.gone() => {}
            }
        }
    }

    /// Take new settings; equal bytes change nothing.
    pub fn apply(&self, settings: Settings) {
        self.shared.settings.send_if_modified(|current| {
            let changed = *current != settings;
            *current = settings;
            changed
        });
    }

    pub fn spawn(&self, call: impl Future<Output = ()> + Send + 'static) {
        self.handle.spawn(call);
    }

    /// End the calls, the process and the threads, within five seconds.
    pub fn stop(&self) {
        self.shared.stop.send_replace(true);
        let Some((runtime, task)) = self.running.lock().unwrap_or_else(PoisonError::into_inner).take() else {
            return;
        };
        let (say, stopped) = std::sync::mpsc::sync_channel(1);
        self.handle.spawn(async move {
            drop(task.await);
            let _ = say.send(());
        });
        let _ = stopped.recv_timeout(STOP);
        runtime.shutdown_timeout(Duration::from_millis(200));
    }
}

/// Let one process live after the other, until the library is shut down.
async fn keep(shared: Arc<Shared>) {
    let mut settings = shared.settings.subscribe();
    let mut stop = shared.stop.subscribe();
    let mut backoff = Backoff::default();
    let mut logged = String::new();
    let mut failures = 0;
    while !*stop.borrow() {
        let now = settings.borrow_and_update().clone();
        // A panic in one life must not be the end of all of them.
        let news = News { settings: settings.clone(), stop: stop.clone() };
        let launch = now.launch.clone();
        let life = life(Arc::clone(&shared), now, news);
        let (end, since) =
            tokio::spawn(life).await.unwrap_or_else(|_| (End::Failed("the library failed".to_owned()), None));
        let pause = match end {
            End::Stopped => return,
            End::Changed => continue,
            End::Unserved => {
                tokio::select! {
                    () = shared.presence.back() => continue,
                    () = stopped(&mut stop) => return,
                }
            }
            End::Failed(reason) => {
                failures = if since.is_some() { 1 } else { failures + 1 };
                let lived = since.map_or(Duration::ZERO, |since: Instant| since.elapsed());
                if lived >= LONG_LIFE {
                    logged.clear();
                }
                shared.stand(Standing::Starting { reason: reason.clone(), failures });
                if reason != logged {
                    shared.log("warn", format!("Poolkeeper is not ready: {}", launch.with_value(&reason)));
                    logged = reason;
                }
                backoff.after(lived)
            }
        };
        tokio::select! {
            () = tokio::time::sleep(pause) => {}
            _ = settings.changed() => {}
            () = stopped(&mut stop) => return,
        }
    }
}

/// Pauses between two attempts to have a process: they double, and one that was ready for `LONG_LIFE` starts over.
struct Backoff(Duration);

impl Default for Backoff {
    fn default() -> Self {
        Self(FIRST)
    }
}

impl Backoff {
    fn after(&mut self, lived: Duration) -> Duration {
        if lived >= LONG_LIFE {
            self.0 = FIRST;
        }
        let pause = self.0;
        self.0 = (pause * 2).min(LONGEST);
        pause
    }
}

#[cfg(test)]
#[path = "../../../../../tests/extension/plugin/shim/child/keeper.rs"]
mod tests;
