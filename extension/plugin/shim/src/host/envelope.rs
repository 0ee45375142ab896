//! The JSON of calls in both directions: its envelope, headers and bodies, and lines for the gateway's log.

use base64::prelude::{Engine, BASE64_STANDARD};
use serde_json::{json, Value};

use crate::contract::Header;
use crate::host::abi::Host;

pub fn success(result: &Value) -> Vec<u8> {
    json!({"ok": true, "result": result}).to_string().into_bytes()
}

pub fn failure(code: &str, message: &str) -> Vec<u8> {
    json!({"ok": false, "error": {"code": code, "message": message}}).to_string().into_bytes()
}

/// Write a line to the gateway's log; a gateway without this callback loses it, nothing else.
pub fn log(host: &Host, level: &str, message: &str) {
    let line = json!({"level": level, "message": message, "fields": {"plugin": "poolkeeper"}});
    drop(host.call("host.log", line.to_string().as_bytes()));
}

/// Return headers as records; names and values that are no text are left out.
pub fn headers_of(described: &Value) -> Vec<Header> {
    let values = |list: &Value| -> Vec<String> {
        let texts = list.as_array().into_iter().flatten().filter_map(Value::as_str);
        texts.map(str::to_owned).collect()
    };
    let pairs = described.as_object().into_iter().flatten();
    pairs.map(|(name, list)| Header { name: name.clone(), values: values(list) }).collect()
}

/// Return the bytes of a base64 text; null is empty.
pub fn decoded(described: &Value) -> Result<Vec<u8>, String> {
    let text = described.as_str().unwrap_or_default();
    BASE64_STANDARD.decode(text).map_err(|error| format!("body is not base64: {error}"))
}
