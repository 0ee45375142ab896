//! Routes, resources and metadata, fixed at build time: the gateway is never kept waiting for a process.

use std::sync::LazyLock;

use serde_json::{json, Value};

use crate::host::envelope::success;

const TEXT: &str = include_str!("../../manifest.json");
const RAW_JSON_SCHEMA: u32 = 6;

/// Path of the pages' files, relative to the resources of this plugin; every other resource is a page.
pub const FILES: &str = "/static/";

pub const PAGE: &str = "/inspection";

pub const RESOURCES: &str = "/v0/resource/plugins/poolkeeper";

static CONTENT: LazyLock<Value> = LazyLock::new(|| {
    let mut content: Value = serde_json::from_str(TEXT).unwrap_or(Value::Null);
    if let Some(address) = option_env!("POOLKEEPER_REPOSITORY") {
        content["metadata"]["GitHubRepository"] = json!(address);
    }
    content
});

pub fn version() -> String {
    CONTENT["metadata"]["Version"].as_str().unwrap_or_default().to_owned()
}

/// Return the answer to register and reconfigure, at the highest schema both sides know.
pub fn registration(host_schema: u32) -> Value {
    json!({
        "schema_version": host_schema.clamp(1, RAW_JSON_SCHEMA),
        "metadata": CONTENT["metadata"],
        "capabilities": {"management_api": true},
    })
}

/// Return whether a gateway of this schema leaves JSON answers as they are.
pub fn keeps_json(host_schema: u32) -> bool {
    host_schema >= RAW_JSON_SCHEMA
}

fn routes() -> Value {
    json!({"routes": CONTENT["routes"], "resources": CONTENT["resources"]})
}

/// Return the envelope with routes and resources: the gateway asks for it five times while it starts.
pub fn routes_envelope() -> Vec<u8> {
    static WRITTEN: LazyLock<Vec<u8>> = LazyLock::new(|| success(&routes()));
    WRITTEN.clone()
}

#[cfg(test)]
#[path = "../../../../../tests/extension/plugin/shim/host/manifest.rs"]
mod tests;
