//! The Poolkeeper process: started in a process group of its own, its first line read, its end awaited.

use std::io::{self, BufRead, BufReader, Read};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tokio::sync::{oneshot, watch};

use crate::child::environment::passed_on;
use crate::child::handshake::{socket_of, COOKIE};
use crate::child::signals::spawn_thread;
use crate::settings::COMMAND;

const LONGEST_LINE: u64 = 4096;
const HANDSHAKE: Duration = Duration::from_secs(60);
const GRACE: Duration = Duration::from_secs(2);

/// A running process; it is killed with the value.
pub struct Process {
    id: i32,
    end: watch::Receiver<Option<String>>,
}

impl Process {
    pub async fn start(
        words: &[String],
        folder: &Path,
        password: bool,
        library: &str,
    ) -> Result<(Self, PathBuf), String> {
        let mut child = started(words, folder, password)
            .map_err(|error| format!("its program cannot be started ({error}): check {COMMAND}"))?;
        let (say, line) = oneshot::channel();
        let stdout = child.stdout.take();
        // The process group has the number of its first process.
        let id = i32::try_from(child.id()).map_err(|error| error.to_string())?;
        let (told, end) = watch::channel(None);
        let process = Self { id, end };
        let threads = spawn_thread(move || {
            if let Some(stdout) = stdout {
                read_first_line(stdout, say);
            }
        })
        .and_then(|_| spawn_thread(move || drop(told.send(Some(ended(&mut child))))));
        threads.map_err(|error| format!("no thread for the process: {error}"))?;
        let line = tokio::select! {
            line = line => line.unwrap_or_default(),
            _ = process.ended() => String::new(),
            () = tokio::time::sleep(HANDSHAKE) => return Err("the process sent no handshake within 60 s; it is ended and started again".to_owned()),
        };
        if line.is_empty() {
            let last = tokio::time::timeout(GRACE, process.ended()).await;
            return Err(last.unwrap_or_else(|_| "the process closed its output without a handshake".to_owned()));
        }
        Ok((process, socket_of(&line, library)?))
    }

    pub async fn ended(&self) -> String {
        let mut end = self.end.clone();
        let text = end.wait_for(Option::is_some).await.ok().and_then(|text| text.clone());
        text.unwrap_or_else(|| "the process ended".to_owned())
    }

    /// Ask the process group to end, then make it; one that answers no more gets half the time.
    pub async fn stop(&self, answers: bool) {
        self.signal(libc::SIGTERM);
        let grace = if answers { GRACE } else { GRACE / 2 };
        if tokio::time::timeout(grace, self.ended()).await.is_err() {
            self.signal(libc::SIGKILL);
            drop(tokio::time::timeout(GRACE / 4, self.ended()).await);
        }
    }

    /// Kill the process group and wait for its end: its next start wants the data folder.
    pub async fn kill(&self) {
        self.signal(libc::SIGKILL);
        drop(tokio::time::timeout(GRACE, self.ended()).await);
    }

    fn signal(&self, number: i32) {
        if self.end.borrow().is_none() {
            // SAFETY: the group is ours while its first process has not been waited for.
            unsafe { libc::kill(-self.id, number) };
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.signal(libc::SIGKILL);
    }
}

fn started(words: &[String], folder: &Path, password: bool) -> io::Result<Child> {
    let mut command = Command::new(&words[0]);
    command
        .args(&words[1..])
        .env_clear()
        .envs(passed_on(
            std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?))),
            password,
        ))
        .env(COOKIE.0, COOKIE.1)
        .env("PLUGIN_PROTOCOL_VERSIONS", "1")
        .env("PLUGIN_UNIX_SOCKET_DIR", folder)
        .env("GRPC_ENABLE_FORK_SUPPORT", "0")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .process_group(0);
    // SAFETY: signal() is safe between fork and exec.
    unsafe {
        command.pre_exec(|| {
            // Ctrl-C is the gateway's: the process ends with it, in order.
            libc::signal(libc::SIGINT, libc::SIG_IGN);
            Ok(())
        });
    }
    command.spawn()
}

fn read_first_line(stdout: impl Read, say: oneshot::Sender<String>) {
    let mut reader = BufReader::new(stdout);
    let mut line = Vec::new();
    let read = reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line);
    let text = read.map(|_| String::from_utf8_lossy(&line).into_owned()).unwrap_or_default();
    drop(say.send(text));
    // A later line must find a reader, or the process blocks on a full pipe.
    drop(io::copy(&mut reader, &mut io::sink()));
}

fn ended(child: &mut Child) -> String {
    match child.wait() {
        Ok(status) => format!("the process ended ({status}): its own lines stand in the log of the gateway"),
        Err(error) => format!("the process cannot be awaited: {error}"),
    }
}
