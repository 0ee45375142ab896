//! The command `mirrorkeeper` beside this program, which decides whenever this program cannot.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus};

use crate::arguments::Arguments;
use crate::signals::{self, Relay};

/// Variable that names the file in which the command accounts for its answer.
const RECORD: &str = "MIRRORKEEPER_RECORD";

/// What is wrong, and the next step.
pub struct Complaint {
    /// One line, the problem.
    pub text: String,
    /// One line, the next step.
    pub advice: String,
}

/// The command, ready to be run.
pub struct Python {
    /// This program, without links.
    pub own: PathBuf,
    /// The command.
    pub program: PathBuf,
    arguments: Vec<OsString>,
}

impl Python {
    /// Find the command in the folder of this program.
    pub fn beside_this_program(arguments: &Arguments) -> Result<Self, Complaint> {
        let own = env::current_exe()
            .and_then(fs::canonicalize)
            .map_err(|error| Complaint {
                text: format!("this program does not find its own folder: {error}"),
                advice: "run `mirrorkeeper mirror verify`, which needs none".to_owned(),
            })?;
        let program = own.with_file_name("mirrorkeeper");
        let arguments = arguments.of_the_command().collect();
        let found = Self {
            own,
            program,
            arguments,
        };
        match fs::metadata(&found.program) {
            Ok(_) => Ok(found),
            Err(error) => Err(found.not_run(&error)),
        }
    }

    /// Run the command, which accounts for its answer in a file, and return how it ended.
    pub fn run(&self, account: &Path) -> Result<ExitStatus, Complaint> {
        let relay = Relay::start();
        let run = || {
            let mut child = self.command().env(RECORD, account).spawn()?;
            relay.until_end_of(&child)?;
            child.wait()
        };
        run().map_err(|error| self.not_run(&error))
    }

    /// Let the command take the place of this program; returns only when that fails.
    pub fn replace_this_process(&self) -> Complaint {
        let error = self.command().env_remove(RECORD).exec();
        self.not_run(&error)
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments);
        command
    }

    fn not_run(&self, error: &io::Error) -> Complaint {
        Complaint {
            text: format!("{} cannot be run: {error}", self.program.display()),
            advice: "install mirrorkeeper again, so that both commands lie in one folder".to_owned(),
        }
    }
}

/// End as the command did: by the same signal, or with the status returned.
pub fn end_alike(ended: ExitStatus) -> ExitCode {
    if let Some(status) = ended.code().and_then(|code| u8::try_from(code).ok()) {
        return ExitCode::from(status);
    }
    let signal = ended.signal().unwrap_or(libc::SIGKILL);
    signals::die_by(signal);
    ExitCode::from(u8::try_from(128 + signal).unwrap_or(u8::MAX))
}
