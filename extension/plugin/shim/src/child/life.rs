//! The life of one process: started or dialed, configured, watched until the first of its possible ends.
//!
//! It ends when the connection breaks, the process ends or gives no sign of life, the settings need another process, or
//! the library is shut down.

use std::convert::Infallible;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::watch;

use crate::child::liveness::{hung, Hung, Signs, LIFELESS};
use crate::child::process::Process;
use crate::child::shared::{Shared, Standing};
use crate::child::socket_folder::{check_socket, parent, SocketFolder};
use crate::connection::{Connection, IN_TIME};
use crate::contract::ConfigureRequest;
use crate::host::gateway::{host_info, listening};
use crate::host::manifest;
use crate::settings::{Launch, Settings, COMMAND};

const QUIESCE: Duration = Duration::from_secs(1);
/// A process that is silent for longer is said to be; on a busy machine one needs that long for its imports.
const SILENT: Duration = Duration::from_secs(10);
const RESTART: &str = "restart what serves plugins.configs.poolkeeper.socket";
const SECOND: Duration = Duration::from_secs(1);

pub enum End {
    Failed(String),
    Changed,
    /// The process hung while the gateway did not serve the plugin.
    Unserved,
    Stopped,
}

pub struct News {
    pub settings: watch::Receiver<Settings>,
    pub stop: watch::Receiver<bool>,
}

/// One process from its start to its end; the time is when it was ready.
pub async fn life(shared: Arc<Shared>, settings: Settings, news: News) -> (End, Option<Instant>) {
    let mut since = None;
    let end = match shared.live(settings, news, &mut since).await {
        Ok(end) => end,
        Err(reason) => End::Failed(reason),
    };
    (end, since)
}

impl Shared {
    async fn live(&self, settings: Settings, mut news: News, since: &mut Option<Instant>) -> Result<End, String> {
        let folder = SocketFolder::make(&parent()).map_err(|error| format!("no folder for sockets: {error}"))?;
        let signs = Signs::default();
        let starting = connected(&settings, folder.path(), &signs);
        let (process, connection) = tokio::select! {
            found = starting => found?,
            () = stopped(&mut news.stop) => return Ok(End::Stopped),
            never = self.silence(&settings.launch) => match never {},
        };
        let version = configure(&connection, &settings, true).await?;
        self.stand(Standing::Ready { connection: connection.clone(), version: version.clone() });
        *since = Some(Instant::now());
        self.presence.establish().await;
        self.log("info", format!("Poolkeeper {version} is ready behind library {}", manifest::version()));
        let end = tokio::select! {
            text = ended(process.as_ref()) => End::Failed(text),
            () = connection.broken() => End::Failed("its connection broke".to_owned()),
            () = stopped(&mut news.stop) => End::Stopped,
            how = hung(&signs, || connection.ask(), &self.presence) => {
                self.end_of_hung(&how, process.as_ref()).await
            }
            () = self.configured(&connection, settings, &mut news.settings) => End::Changed,
        };
        self.stand(Standing::Starting { reason: "its process starts again".to_owned(), failures: 0 });
        if let (End::Stopped | End::Changed, Some(process)) = (&end, &process) {
            let answers = connection.shut_down("the plugin is unloaded or its command changed", QUIESCE).await;
            process.stop(answers).await;
        }
        Ok(end)
    }

    /// Pass changed settings on until they need another process.
    async fn configured(&self, connection: &Connection, mut current: Settings, news: &mut watch::Receiver<Settings>) {
        while news.changed().await.is_ok() {
            let newer = news.borrow_and_update().clone();
            if current.needs_restart(&newer) {
                return;
            }
            if let Err(reason) = configure(connection, &newer, false).await {
                self.log("warn", format!("Poolkeeper keeps its settings: {reason}"));
            }
            current = newer;
        }
        std::future::pending::<()>().await;
    }

    /// Kill a process that gives no sign of life; one of another supervisor is left to it.
    async fn end_of_hung(&self, how: &Hung, process: Option<&Process>) -> End {
        if let Some(process) = process {
            process.kill().await;
        }
        let reason = match (how, process) {
            (Hung::Silent, Some(_)) => {
                format!("its process gave no sign of life for {LIFELESS} s and was killed; it is started again")
            }
            (Hung::Silent, None) => format!("its process gave no sign of life for {LIFELESS} s: {RESTART}"),
            (Hung::Unserved, _) => {
                let killed = if process.is_some() { ": it was killed" } else { "" };
                let text = format!("Poolkeeper was disabled, and its process gave no sign of life{killed}");
                self.log("warn", text);
                return End::Unserved;
            }
        };
        End::Failed(reason)
    }

    /// Note after a while, and each second from then on, for how long a process that was started has not answered; never
    /// ends.
    async fn silence(&self, launch: &Launch) -> Infallible {
        if matches!(launch, Launch::Attach(_)) {
            return std::future::pending().await;
        }
        let began = Instant::now();
        tokio::time::sleep(SILENT).await;
        loop {
            self.stand_silent(format!(
                "its process was started and does not answer for {} s: check {COMMAND}",
                began.elapsed().as_secs()
            ));
            tokio::time::sleep(SECOND).await;
        }
    }
}

async fn connected(settings: &Settings, folder: &Path, signs: &Signs) -> Result<(Option<Process>, Connection), String> {
    let (process, socket) = match &settings.launch {
        Launch::Spawn(words) => {
            listening().await;
            let (process, socket) = Process::start(words, folder, !settings.key_file, &manifest::version()).await?;
            (Some(process), socket)
        }
        Launch::Attach(socket) => {
            check_socket(socket)?;
            (None, socket.clone())
        }
    };
    let connection = Connection::open(socket, signs.clone()).await.map_err(|error| match process {
        // Its socket takes connections for as long as it stands still.
        None if error.ends_with(IN_TIME) => format!("its process gives no sign of life: {RESTART}"),
        _ => error,
    })?;
    Ok((process, connection))
}

/// Wait for the shutdown; the guard of the value does not outlive this call.
pub async fn stopped(stop: &mut watch::Receiver<bool>) {
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
        host_service: 0,
        first,
    };
    connection.configure(request).await.map(|answer| answer.version)
}
