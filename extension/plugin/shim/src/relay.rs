//! One request of the gateway: relayed to the process, or answered here when that cannot be.

mod answers;
mod incoming;
mod rewriting;

use std::sync::mpsc;
use std::time::Duration;

use serde_json::Value;
use tonic::{Code, Status};

use crate::child::keeper::Keeper;
use crate::child::liveness::LIFELESS;
use crate::child::shared::Standing;
use crate::connection::{phrase, Connection};
use crate::contract::{HttpRequest, HttpResponse};
use crate::host::manifest;
use crate::host::presence;
use crate::relay::answers::{relayed, Answer, Problem};
use crate::relay::incoming::{is_page, is_resource, request, BODY_LIMIT};
use crate::relay::rewriting::Way;
use crate::settings::{Launch, COMMAND};

/// A call ends by this deadline: the gateway has none, and never cancels one.
const DEADLINE: Duration = Duration::from_secs(10);
const MARGIN: Duration = Duration::from_secs(1);
/// Failed starts in a row from which on the process counts as not running.
const FAILURES: u32 = 5;

pub fn handle(keeper: &Keeper, described: &[u8]) -> Value {
    let request = match request(described, keeper.needs_key()) {
        Ok(request) => request,
        Err(reason) => {
            let problem = bad_gateway(&reason, "Update the gateway, or report this.");
            return problem.answer(false).described(Way::of_unknown(keeper.rewrites_json()));
        }
    };
    // The gateway leaves the pages and their files as they are.
    let way = Way::of(&request, keeper.rewrites_json() && !is_resource(&request.path));
    answered(keeper, request).described(way)
}

fn answered(keeper: &Keeper, request: HttpRequest) -> Answer {
    #[cfg(feature = "planted-faults")]
    assert!(!request.headers.iter().any(|header| header.name == "X-Planted-Panic"), "planted panic");
    let (page, open) = (is_page(&request.path), is_resource(&request.path));
    if open && request.headers.iter().any(|header| header.name == presence::HEADER) {
        return Answer::empty();
    }
    if request.body.len() > BODY_LIMIT {
        return too_large().answer(page);
    }
    match keeper.standing() {
        Standing::Starting { reason, failures } => absent(&reason, failures, &keeper.launch(), open).answer(page),
        Standing::Ready { version, .. } if open && version != manifest::version() => {
            other_version(&version).answer(page)
        }
        Standing::Ready { connection, .. } => match relay(keeper, connection, request) {
            Ok(response) => relayed(response),
            Err(lost) => lost.answer(page),
        },
    }
}

/// Relay on the threads of this library: a write on the caller's could raise a signal there.
fn relay(keeper: &Keeper, connection: Connection, request: HttpRequest) -> Result<HttpResponse, Problem> {
    let (say, answer) = mpsc::sync_channel(1);
    let (ending, launch) = (keeper.ending(), keeper.launch());
    keeper.spawn(async move {
        let answer = tokio::select! {
            answer = connection.handle(request, DEADLINE) => answer.map_err(|status| lost(&status, &launch)),
            () = ending => Err(stopping()),
        };
        drop(say.send(answer));
    });
    match answer.recv_timeout(DEADLINE + MARGIN) {
        Ok(answer) => answer,
        Err(mpsc::RecvTimeoutError::Timeout) => {
            Err(lost(&Status::deadline_exceeded("no answer in time"), &keeper.launch()))
        }
        Err(mpsc::RecvTimeoutError::Disconnected) => {
            Err(lost(&Status::internal("the call failed in the library"), &keeper.launch()))
        }
    }
}

pub fn after_panic() -> Value {
    bad_gateway("The library in the gateway failed during this call", "Other calls go on. Report this.")
        .answer(false)
        .described(Way::default())
}

fn stopping() -> Problem {
    Problem {
        status: 503,
        error: "Poolkeeper stops: its plugin was disabled or removed".to_owned(),
        code: "stopping",
        hint: "Enable or install the plugin again, then look at what took effect.".to_owned(),
    }
}

fn absent(reason: &str, failures: u32, launch: &Launch, open: bool) -> Problem {
    // Only reasons about the command end so; a process that ended by itself is installed.
    let suspect = reason.ends_with(COMMAND);
    let reason = if open { launch.without_value(reason) } else { launch.with_value(reason) };
    let remedy = if matches!(launch, Launch::Attach(_)) {
        "start the process of the other container: poolkeeper plugin serve --socket FILE, with the file that the \
         setting socket names"
    } else if !suspect {
        "look at the log of the gateway, and run: poolkeeper plugin status --gateway-dir DIR"
    } else {
        "install Poolkeeper beside the gateway (pipx install poolkeeper[plugin]) and run: poolkeeper plugin install \
         --gateway-dir DIR"
    };
    Problem {
        status: 503,
        error: format!("Poolkeeper is not ready: {reason}"),
        code: if failures < FAILURES { "starting" } else { "not_running" },
        hint: format!("This page tries again by itself. If it stays, {remedy}"),
    }
}

fn other_version(version: &str) -> Problem {
    Problem {
        status: 503,
        error: format!("The process is Poolkeeper {version}, the library in the gateway is {}", manifest::version()),
        code: "version_mismatch",
        hint: "Install one version of both: update Poolkeeper, then run: poolkeeper plugin install --gateway-dir DIR"
            .to_owned(),
    }
}

fn too_large() -> Problem {
    Problem {
        status: 413,
        error: format!("The request is longer than {} MiB", BODY_LIMIT / 1024 / 1024),
        code: "body_too_large",
        hint: "Send less at once.".to_owned(),
    }
}

fn bad_gateway(error: &str, hint: &str) -> Problem {
    Problem { status: 502, error: error.to_owned(), code: "plugin_failed", hint: hint.to_owned() }
}

fn lost(status: &Status, launch: &Launch) -> Problem {
    if status.code() == Code::DeadlineExceeded {
        return Problem {
            status: 504,
            error: format!("Poolkeeper did not answer within {} seconds", DEADLINE.as_secs()),
            code: "deadline_exceeded",
            hint: late_hint(launch),
        };
    }
    bad_gateway(&format!("Poolkeeper gave no answer: {}", phrase(status)), "Try again in a moment.")
}

fn late_hint(launch: &Launch) -> String {
    if matches!(launch, Launch::Attach(_)) {
        return format!(
            "Try again in a moment. If the process of the other container gives no sign of life for {LIFELESS} seconds, \
             restart it."
        );
    }
    format!("Try again in a moment. A process that gives no sign of life for {LIFELESS} seconds is replaced by itself.")
}

#[cfg(test)]
#[path = "../../../../tests/extension/plugin/shim/relay.rs"]
mod tests;
