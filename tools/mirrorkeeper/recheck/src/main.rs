//! `mirrorkeeper-verify`: the last clean answer of `mirrorkeeper mirror verify` again, while nothing it rested on has
//! changed; otherwise that command.
//!
//! Theory: the command says what its answer rests on (`account`). This program takes a fingerprint of all of it and
//! keeps both, under a key of everything else that the answer depends on. The next call takes the fingerprint again:
//! when it is the same, so is the answer. It judges nothing itself, and in any doubt the command runs.

mod account;
mod arguments;
mod fingerprint;
mod key;
mod moment;
mod python;
mod record;
mod settled;
mod signals;
mod store;
mod way;

use std::env;
use std::fs::File;
use std::io::{self, Write};
use std::mem::ManuallyDrop;
use std::os::fd::FromRawFd;
use std::process::ExitCode;

use crate::account::Account;
use crate::arguments::Arguments;
use crate::moment::Moment;
use crate::python::{Complaint, Python};
use crate::record::Record;
use crate::store::Store;

const HELP: &str = "\
Usage: mirrorkeeper-verify [-C DIR] [--config FILE] [OPTIONS]

  Repeats the last clean answer of `mirrorkeeper mirror verify` while nothing
  that it rested on has changed, and runs that command otherwise. Answers are
  kept in the folder `verified` of $MIRROR_CACHE, by default
  ~/.cache/upstream-mirrors. -C and --config are those of mirrorkeeper; the
  options are those of the command:

";

fn main() -> ExitCode {
    let asked = Moment::now();
    match run(asked) {
        Ok(status) => status,
        Err(complaint) => {
            // Without a standard error there is nobody to complain to; the status says it as well.
            let _ = write!(io::stderr(), "error: {}\nhelp: {}\n", complaint.text, complaint.advice);
            ExitCode::from(2)
        }
    }
}

fn run(asked: Moment) -> Result<ExitCode, Complaint> {
    let arguments = Arguments::split(env::args_os().skip(1));
    let python = Python::beside_this_program(&arguments)?;
    if arguments.want_help() {
        let _ = io::stdout().write_all(HELP.as_bytes());
        return Err(python.replace_this_process());
    }
    let (Ok(key), Some(store)) = (key::of_this_call(&python.own, &python.program), Store::of_this_user()) else {
        return Err(python.replace_this_process());
    };
    let kept = store.read(&key);
    if let Some(record) = kept.as_deref().and_then(Record::parse) {
        if record.still_holds(&key) {
            return repeat(&record.account, &python);
        }
    }
    let Ok(draft) = store.draft() else {
        return Err(python.replace_this_process());
    };
    let ended = python.run(draft.path())?;
    if ended.success() {
        // What cannot be kept is checked again next time.
        let _ = draft.read().and_then(|account| keep(&store, &key, &account, asked));
    }
    drop(draft);
    Ok(python::end_alike(ended))
}

fn keep(store: &Store, key: &str, account: &[u8], asked: Moment) -> Option<()> {
    let record = Record::of_settled(key, account, asked)?;
    store.keep(key, &record.to_bytes(), asked.wall).ok()
}

/// Print the kept answer, as the command would have. Where it cannot be written, the command says so in its own words.
fn repeat(account: &Account, python: &Python) -> Result<ExitCode, Complaint> {
    // SAFETY: the descriptor is that of standard output, which nothing here closes. The library's own way to it takes one
    // that is not open for writing for one that is.
    let mut out = ManuallyDrop::new(unsafe { File::from_raw_fd(libc::STDOUT_FILENO) });
    if out.write_all(account.answer).is_err() {
        return Err(python.replace_this_process());
    }
    let line = [b"nothing has changed since the check of ", account.checked, b"\n"].concat();
    let _ = io::stderr().write_all(&line);
    Ok(ExitCode::SUCCESS)
}
