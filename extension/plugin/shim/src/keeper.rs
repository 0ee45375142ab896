//! Keeps one process running and connected, on threads of its own.
//!
//! Theory: the gateway waits for no process. Register and reconfigure only leave settings here; a task starts or dials the
//! process, configures it, and waits for the first of: the connection breaks, the process ends, the settings change, the
//! library is shut down. Every fault leads back to the start after a pause.

use std::future::Future;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::runtime::{Builder, Runtime};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::abi::Host;
use crate::backoff::Backoff;
use crate::callbacks;
use crate::connection::{Connection, HOST_SERVICE};
use crate::contract::{ConfigureRequest, LogRecord, LEVEL_INFO, LEVEL_WARNING};
use crate::gateway::host_info;
use crate::host_service::HostService;
use crate::manifest;
use crate::process::Process;
use crate::settings::{Launch, Settings};
use crate::signals::{block_sigpipe, THREAD_NAME};
use crate::socket_folder::{check_owner, parent, SocketFolder};

const STOP: Duration = Duration::from_millis(3500);
const QUIESCE: Duration = Duration::from_secs(1);

/// Whether requests can be relayed now.
#[derive(Clone)]
pub enum Standing {
    /// Not yet, or not again; the reason.
    Starting(String),
    /// They can.
    Ready {
        /// Connection to the process.
        connection: Connection,
        /// Version of the process.
        version: String,
    },
}

enum End {
    Failed(String),
    Changed,
    Stopped,
}

/// The running task and its threads.
pub struct Keeper {
    runtime: Runtime,
    task: JoinHandle<()>,
    shared: Arc<Shared>,
}

struct Shared {
    host: Host,
    standing: Mutex<Standing>,
    settings: watch::Sender<Settings>,
    stop: watch::Sender<bool>,
}

impl Keeper {
    /// Start the threads and the task.
    pub fn start(host: Host, settings: Settings) -> io::Result<Self> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(2)
            .max_blocking_threads(16)
            .thread_name(THREAD_NAME)
            .on_thread_start(block_sigpipe)
            .enable_io()
            .enable_time()
            .build()?;
        let shared = Arc::new(Shared {
            host,
            standing: Mutex::new(Standing::Starting("its process starts".to_owned())),
            settings: watch::Sender::new(settings),
            stop: watch::Sender::new(false),
        });
        let task = runtime.spawn(Arc::clone(&shared).run());
        Ok(Self { runtime, task, shared })
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
        self.runtime.spawn(call);
    }

    /// Stop the process and the threads, within five seconds.
    pub fn stop(self) {
        self.shared.stop.send_replace(true);
        let task = self.task;
        let (say, stopped) = std::sync::mpsc::sync_channel(1);
        self.runtime.spawn(async move {
            drop(task.await);
            let _ = say.send(());
        });
        let _ = stopped.recv_timeout(STOP + QUIESCE);
        self.runtime.shutdown_timeout(Duration::from_millis(200));
    }
}

impl Shared {
    async fn run(self: Arc<Self>) {
        let mut settings = self.settings.subscribe();
        let mut stop = self.stop.subscribe();
        let mut backoff = Backoff::default();
        let mut logged = String::new();
        while !*stop.borrow() {
            let now = settings.borrow_and_update().clone();
            // A panic in one life must not be the end of all of them.
            let life = Arc::clone(&self).life(now, settings.clone(), stop.clone());
            let (end, since) = tokio::spawn(life)
                .await
                .unwrap_or_else(|_| (End::Failed("the library failed".to_owned()), None));
            let pause = match end {
                End::Stopped => return,
                End::Changed => continue,
                End::Failed(reason) => {
                    self.stand(Standing::Starting(reason.clone()));
                    if reason != logged {
                        self.log(LEVEL_WARNING, format!("Poolkeeper is not ready: {reason}"));
                        logged = reason;
                    }
                    backoff.after(since.map_or(Duration::ZERO, |since: Instant| since.elapsed()))
                }
            };
            tokio::select! {
                () = tokio::time::sleep(pause) => {}
                _ = settings.changed() => {}
                () = stopped(&mut stop) => return,
            }
        }
    }

    /// One process from its start to its end; the time is when it was ready.
    async fn life(
        self: Arc<Self>,
        settings: Settings,
        changes: watch::Receiver<Settings>,
        stop: watch::Receiver<bool>,
    ) -> (End, Option<Instant>) {
        let mut since = None;
        let end = match self.live(settings, changes, stop, &mut since).await {
            Ok(end) => end,
            Err(reason) => End::Failed(reason),
        };
        (end, since)
    }

    async fn live(
        &self,
        settings: Settings,
        mut changes: watch::Receiver<Settings>,
        mut stop: watch::Receiver<bool>,
        since: &mut Option<Instant>,
    ) -> Result<End, String> {
        let folder = SocketFolder::make(&parent()).map_err(|error| format!("no folder for sockets: {error}"))?;
        let starting = self.connected(&settings, folder.path());
        let (process, connection, _serving) = tokio::select! {
            found = starting => found?,
            () = stopped(&mut stop) => return Ok(End::Stopped),
        };
        let version = configure(&connection, &settings, true).await?;
        self.stand(Standing::Ready {
            connection: connection.clone(),
            version: version.clone(),
        });
        *since = Some(Instant::now());
        self.log(
            LEVEL_INFO,
            format!("Poolkeeper {version} is ready behind library {}", manifest::version()),
        );
        let mut current = settings;
        let end = loop {
            tokio::select! {
                text = ended(process.as_ref()) => break End::Failed(text),
                () = connection.broken() => break End::Failed("its connection broke".to_owned()),
                () = stopped(&mut stop) => break End::Stopped,
                _ = changes.changed() => {
                    let newer = changes.borrow_and_update().clone();
                    if current.needs_restart(&newer) {
                        break End::Changed;
                    }
                    if let Err(reason) = configure(&connection, &newer, false).await {
                        self.log(LEVEL_WARNING, format!("Poolkeeper keeps its settings: {reason}"));
                    }
                    current = newer;
                }
            }
        };
        self.stand(Standing::Starting("its process starts again".to_owned()));
        if let (End::Stopped | End::Changed, Some(process)) = (&end, &process) {
            connection
                .shut_down("the plugin is unloaded or its command changed", QUIESCE)
                .await;
            process.stop().await;
        }
        Ok(end)
    }

    async fn connected(
        &self,
        settings: &Settings,
        folder: &Path,
    ) -> Result<(Option<Process>, Connection, Serving), String> {
        let (process, socket, offered) = match &settings.launch {
            Launch::Spawn(words) => {
                let password = !settings.key_file;
                let (process, socket) = Process::start(words, folder, password, &manifest::version()).await?;
                (Some(process), socket, folder.join("host.sock"))
            }
            Launch::Attach(socket) => {
                check_owner(socket)?;
                let mut offered = socket.clone().into_os_string();
                offered.push(".host");
                (None, socket.clone(), offered.into())
            }
        };
        let service = HostService {
            host: self.host.clone(),
            info: host_info(settings),
        };
        let serving = Serving(service.serve(&offered)?);
        let connection = Connection::open(socket, &offered.to_string_lossy()).await?;
        Ok((process, connection, serving))
    }

    fn stand(&self, standing: Standing) {
        *self.standing.lock().unwrap_or_else(PoisonError::into_inner) = standing;
    }

    fn log(&self, level: i32, message: String) {
        let host = self.host.clone();
        let record = LogRecord { level, message };
        tokio::task::spawn_blocking(move || {
            // A gateway without this callback loses a line, nothing else.
            drop(callbacks::log(&|method, request| host.call(method, request), &record));
        });
    }
}

/// The service of the gateway's side; it ends with the value.
struct Serving(JoinHandle<()>);

impl Drop for Serving {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Wait for the shutdown; the guard of the value does not outlive this call.
async fn stopped(stop: &mut watch::Receiver<bool>) {
    drop(stop.wait_for(|stop| *stop).await);
}

async fn ended(process: Option<&Process>) -> String {
    match process {
        Some(process) => process.ended().await,
        None => std::future::pending().await,
    }
}

async fn configure(connection: &Connection, settings: &Settings, first: bool) -> Result<String, String> {
    let request = ConfigureRequest {
        host: Some(host_info(settings)),
        settings_yaml: settings.raw.clone(),
        host_service: HOST_SERVICE,
        first,
    };
    connection.configure(request).await.map(|answer| answer.version)
}
