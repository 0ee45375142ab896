//! State that the task of the library and the gateway's calls have in common.

use std::sync::{Mutex, PoisonError};

use tokio::sync::watch;

use crate::connection::Connection;
use crate::host::abi::Host;
use crate::host::envelope::log;
use crate::host::presence::Presence;
use crate::settings::Settings;

#[derive(Clone)]
pub enum Standing {
    Starting {
        reason: String,
        /// Attempts in a row that have failed.
        failures: u32,
    },
    Ready {
        connection: Connection,
        version: String,
    },
}

pub struct Shared {
    host: Host,
    standing: Mutex<Standing>,
    pub settings: watch::Sender<Settings>,
    pub stop: watch::Sender<bool>,
    pub presence: Presence,
}

impl Shared {
    pub fn new(host: Host, settings: Settings) -> Self {
        Self {
            host,
            standing: Mutex::new(Standing::Starting { reason: "its process starts".to_owned(), failures: 0 }),
            settings: watch::Sender::new(settings),
            stop: watch::Sender::new(false),
            presence: Presence::default(),
        }
    }

    pub fn standing(&self) -> Standing {
        self.standing.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub fn stand(&self, standing: Standing) {
        *self.standing.lock().unwrap_or_else(PoisonError::into_inner) = standing;
    }

    /// Note that a process does not answer, unless something worse is noted.
    pub fn stand_silent(&self, text: String) {
        if let Standing::Starting { reason, failures: 0 } =
            &mut *self.standing.lock().unwrap_or_else(PoisonError::into_inner)
        {
            *reason = text;
        }
    }

    /// Write a line to the gateway's log, without waiting for it.
    pub fn log(&self, level: &'static str, message: String) {
        let host = self.host.clone();
        tokio::task::spawn_blocking(move || log(&host, level, &message));
    }
}
