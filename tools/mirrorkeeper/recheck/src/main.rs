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

use std::env;
use std::io::{self, Write};
use std::process::ExitCode;

use crate::account::Account;
use crate::arguments::Arguments;
use crate::moment::Moment;
use crate::python::{Complaint, Python};
use crate::record::Record;
use crate::store::Store;

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
    let python = Python::beside_this_program(&Arguments::split(env::args_os().skip(1)))?;
    let (Ok(key), Some(store)) = (key::of_this_call(&python.own, &python.program), Store::of_this_user()) else {
        return Err(python.replace_this_process());
    };
    let kept = store.read(&key);
    if let Some(record) = kept.as_deref().and_then(Record::parse) {
        if record.still_holds() {
            return repeat(&record.account);
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
    let record = Record::of_settled(account, asked)?;
    store.keep(key, &record.to_bytes(), asked.wall).ok()
}

/// Print the kept answer, as the command would have.
fn repeat(account: &Account) -> Result<ExitCode, Complaint> {
    signals::die_of_broken_pipes();
    let mut out = io::stdout();
    if let Err(error) = out.write_all(account.answer).and_then(|()| out.flush()) {
        return Err(Complaint {
            text: format!("standard output cannot be written: {error}"),
            advice: "make room there, or send it elsewhere, and run the command again".to_owned(),
        });
    }
    let line = [b"nothing has changed since the check of ", account.checked, b"\n"].concat();
    let _ = io::stderr().write_all(&line);
    Ok(ExitCode::SUCCESS)
}
