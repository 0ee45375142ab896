//! The first line a process prints: versions, and the socket it listens on.

use std::path::PathBuf;

pub const CORE: &str = "1";
pub const CONTRACT: &str = "1";
/// Variable that tells a plugin process from a program started by hand.
pub const COOKIE: (&str, &str) = ("GATEWAY_PLUGIN_COOKIE", "6f0f3c0d6c1e4b57a6d4a3a1f2be98c4");

/// Return the socket named by the line, or the reason why the process cannot be used.
pub fn socket_of(line: &str, library: &str) -> Result<PathBuf, String> {
    let parts: Vec<&str> = line.trim().split('|').collect();
    let [core, contract, network, address, protocol, ..] = parts[..] else {
        return Err("the command printed something else than the handshake of a plugin process".to_owned());
    };
    if core != CORE || contract != CONTRACT {
        return Err(format!(
            "the process speaks protocol {core}/{contract}, the library {library} in the gateway speaks {CORE}/{CONTRACT}: \
             install the same version of both"
        ));
    }
    if network != "unix" || protocol != "grpc" || address.is_empty() {
        return Err(format!("the process offers {protocol} over {network}; the library speaks grpc over unix"));
    }
    Ok(address.into())
}

#[cfg(test)]
#[path = "../../../../../tests/extension/plugin/shim/child/handshake.rs"]
mod tests;
