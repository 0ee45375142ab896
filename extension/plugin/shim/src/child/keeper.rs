//! Keeps one process running and connected, on threads of its own.
//!
//! Theory: the gateway waits for no process. Register and reconfigure only leave settings here; a task lets one process
//! live after the other. Every fault leads back to the start after a pause.

use std::future::Future;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::runtime::{Builder, Handle, Runtime};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::child::backoff::{Backoff, LONG_LIFE};
use crate::child::life::{stopped, End, News};
use crate::child::signals::{block_sigpipe, THREAD_NAME};
use crate::connection::Connection;
use crate::contract::{LogRecord, LEVEL_WARNING};
use crate::host::abi::Host;
use crate::host::callbacks;
use crate::host::manifest;
use crate::host::presence::Presence;
use crate::settings::{Launch, Settings};

const STOP: Duration = Duration::from_millis(4500);

/// Whether requests can be relayed now.
#[derive(Clone)]
pub enum Standing {
    /// Not yet, or not again.
    Starting {
        /// The reason.
        reason: String,
        /// Attempts in a row that have failed.
        failures: u32,
    },
    /// They can.
    Ready {
        /// Connection to the process.
        connection: Connection,
        /// Version of the process.
        version: String,
    },
}

/// The running task and its threads.
pub struct Keeper {
    handle: Handle,
    running: Mutex<Option<(Runtime, JoinHandle<()>)>>,
    shared: Arc<Shared>,
}

/// Parts that the task and the gateway's calls have in common.
pub struct Shared {
    host: Host,
    standing: Mutex<Standing>,
    settings: watch::Sender<Settings>,
    stop: watch::Sender<bool>,
    /// Whether the gateway serves the plugin.
    pub presence: Presence,
}

impl Keeper {
    /// Start the threads and the task.
    pub fn start(host: Host, settings: Settings) -> io::Result<Self> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .max_blocking_threads(16)
            .thread_name(THREAD_NAME)
            .on_thread_start(block_sigpipe)
            .enable_io()
            .enable_time()
            .build()?;
        let shared = Arc::new(Shared {
            host,
            standing: Mutex::new(Standing::Starting {
                reason: "its process starts".to_owned(),
                failures: 0,
            }),
            settings: watch::Sender::new(settings),
            stop: watch::Sender::new(false),
            presence: Presence::default(),
        });
        let task = runtime.spawn(Arc::clone(&shared).run());
        Ok(Self {
            handle: runtime.handle().clone(),
            running: Mutex::new(Some((runtime, task))),
            shared,
        })
    }

    /// Return whether requests can be relayed.
    pub fn standing(&self) -> Standing {
        self.shared
            .standing
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Return whether the process has no management key of its own and needs the caller's.
    pub fn needs_key(&self) -> bool {
        !self.shared.settings.borrow().key_file && std::env::var_os("MANAGEMENT_PASSWORD").is_none()
    }

    /// Return how the process comes to be.
    pub fn launch(&self) -> Launch {
        self.shared.settings.borrow().launch.clone()
    }

    /// Return whether the gateway rewrites JSON.
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

    /// Run a call on the threads of this library.
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

impl Shared {
    async fn run(self: Arc<Self>) {
        let mut settings = self.settings.subscribe();
        let mut stop = self.stop.subscribe();
        let mut backoff = Backoff::default();
        let mut logged = String::new();
        let mut failures = 0;
        while !*stop.borrow() {
            let now = settings.borrow_and_update().clone();
            // A panic in one life must not be the end of all of them.
            let news = News {
                settings: settings.clone(),
                stop: stop.clone(),
            };
            let launch = now.launch.clone();
            let life = Arc::clone(&self).life(now, news);
            let (end, since) = tokio::spawn(life)
                .await
                .unwrap_or_else(|_| (End::Failed("the library failed".to_owned()), None));
            let pause = match end {
                End::Stopped => return,
                End::Changed => continue,
                End::Unserved => {
                    tokio::select! {
                        () = self.presence.back() => continue,
                        () = stopped(&mut stop) => return,
                    }
                }
                End::Failed(reason) => {
                    failures = if since.is_some() { 1 } else { failures + 1 };
                    let lived = since.map_or(Duration::ZERO, |since: Instant| since.elapsed());
                    if lived >= LONG_LIFE {
                        logged.clear();
                    }
                    self.stand(Standing::Starting {
                        reason: reason.clone(),
                        failures,
                    });
                    if reason != logged {
                        self.log(
                            LEVEL_WARNING,
                            format!("Poolkeeper is not ready: {}", launch.with_value(&reason)),
                        );
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

    /// Return the gateway's callback.
    pub fn host(&self) -> Host {
        self.host.clone()
    }

    /// Say whether requests can be relayed.
    pub fn stand(&self, standing: Standing) {
        *self.standing.lock().unwrap_or_else(PoisonError::into_inner) = standing;
    }

    /// Say that a process does not answer, unless something worse has been said.
    pub fn stand_silent(&self, text: String) {
        if let Standing::Starting { reason, failures: 0 } =
            &mut *self.standing.lock().unwrap_or_else(PoisonError::into_inner)
        {
            *reason = text;
        }
    }

    /// Write a line to the gateway's log, without waiting for it.
    pub fn log(&self, level: i32, message: String) {
        let host = self.host.clone();
        let record = LogRecord { level, message };
        tokio::task::spawn_blocking(move || {
            // A gateway without this callback loses a line, nothing else.
            drop(callbacks::log(&|method, request| host.call(method, request), &record));
        });
    }
}
