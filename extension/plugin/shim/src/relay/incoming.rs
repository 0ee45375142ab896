//! Requests as the gateway describes them, translated to the contract.

use std::fmt::Write;

use serde_json::Value;

use crate::contract::{Header, HttpRequest, ACCESS_GUARDED, ACCESS_OPEN};
use crate::host::envelope::{decoded, headers_of};
use crate::host::manifest::{FILES, RESOURCES};

pub const BODY_LIMIT: usize = 8 * 1024 * 1024;
const KEY_HEADERS: [&str; 2] = ["authorization", "x-management-key"];

/// Read one request; the management key is left out unless `keep_key` asks for it.
pub fn request(described: &[u8], keep_key: bool) -> Result<HttpRequest, String> {
    let found: Value = serde_json::from_slice(described).map_err(|error| format!("request is not JSON: {error}"))?;
    let text = |name: &str| found[name].as_str().unwrap_or_default().to_owned();
    let path = text("Path");
    let open = is_resource(&path);
    let mut headers = headers_of(&found["Headers"]);
    if open || !keep_key {
        headers.retain(|header| !KEY_HEADERS.contains(&header.name.to_ascii_lowercase().as_str()));
    }
    Ok(HttpRequest {
        method: text("Method"),
        query: encoded(&headers_of(&found["Query"])),
        headers,
        body: decoded(&found["Body"])?,
        access: if open { ACCESS_OPEN } else { ACCESS_GUARDED },
        callback_id: text("host_callback_id"),
        path,
        ..HttpRequest::default()
    })
}

pub fn is_resource(path: &str) -> bool {
    path.strip_prefix(RESOURCES).is_some_and(|rest| rest.starts_with('/'))
}

pub fn is_page(path: &str) -> bool {
    is_resource(path) && !path.strip_prefix(RESOURCES).is_some_and(|rest| rest.starts_with(FILES))
}

fn encoded(query: &[Header]) -> String {
    let pairs = query.iter().flat_map(|one| one.values.iter().map(|value| (&one.name, value)));
    pairs.map(|(name, value)| format!("{}={}", quoted(name), quoted(value))).collect::<Vec<_>>().join("&")
}

fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            // writing to a text cannot fail
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

#[cfg(test)]
#[path = "../../../../../tests/extension/plugin/shim/relay/incoming.rs"]
mod tests;
