//! Routes, resources and metadata, fixed at build time: the gateway is never kept waiting for a process.

use serde_json::{json, Value};

const TEXT: &str = include_str!("../manifest.json");
const RAW_JSON_SCHEMA: u32 = 6;

/// Path of the page, relative to the resources of this plugin.
pub const PAGE: &str = "/inspection";

/// Path that all resources of this plugin stand under.
pub const RESOURCES: &str = "/v0/resource/plugins/poolkeeper";

fn content() -> Value {
    serde_json::from_str(TEXT).unwrap_or(Value::Null)
}

/// Return the version of this library.
pub fn version() -> String {
    content()["metadata"]["Version"].as_str().unwrap_or_default().to_owned()
}

/// Return the answer to register and reconfigure, at the highest schema both sides know.
pub fn registration(host_schema: u32) -> Value {
    json!({
        "schema_version": host_schema.clamp(1, RAW_JSON_SCHEMA),
        "metadata": content()["metadata"],
        "capabilities": {"management_api": true},
    })
}

/// Return whether a gateway of this schema leaves JSON answers as they are.
pub fn keeps_json(host_schema: u32) -> bool {
    host_schema >= RAW_JSON_SCHEMA
}

/// Return routes and resources.
pub fn routes() -> Value {
    let content = content();
    json!({"routes": content["routes"], "resources": content["resources"]})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_metadata_are_what_a_gateway_demands() {
        let metadata = &registration(3)["metadata"];

        for name in ["Name", "Version", "Author", "GitHubRepository"] {
            assert!(metadata[name].as_str().is_some_and(|text| !text.is_empty()), "{name}");
        }
        assert_eq!(version(), env!("CARGO_PKG_VERSION"));
    }

    #[test]
    fn no_schema_above_the_gateways_is_claimed() {
        for (host, answered) in [(0, 1), (1, 1), (3, 3), (6, 6), (9, 6)] {
            assert_eq!(registration(host)["schema_version"], json!(answered));
        }
    }

    #[test]
    fn the_page_is_a_resource_with_a_menu_and_no_route_has_one() {
        let found = routes();
        let page = &found["resources"].as_array().unwrap()[0];

        assert_eq!(page["Path"], json!(PAGE));
        assert_eq!(page["Menu"], json!("Poolkeeper"));
        assert!(found["routes"]
            .as_array()
            .unwrap()
            .iter()
            .all(|route| route["Menu"] == json!("")));
    }
}
