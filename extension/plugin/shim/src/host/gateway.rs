//! Facts about the gateway this library is loaded into.

use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::net::TcpStream;
use yaml_rust2::{Yaml, YamlLoader};

use crate::contract::HostInfo;
use crate::host::manifest;
use crate::settings::Settings;

const PATIENCE: Duration = Duration::from_secs(3);
const GLANCE: Duration = Duration::from_millis(20);

/// Wait until the gateway listens, for a few seconds at most.
///
/// A Python process takes a processor for most of a second while it starts; that must not be the second in which the
/// gateway starts, and there is nothing to relay before.
pub async fn listening() {
    let address = own_address(&configuration());
    if let Some((_, authority)) = address.split_once("://") {
        // It is started anyway: a gateway that listens elsewhere is none that fails.
        drop(tokio::time::timeout(PATIENCE, accepts(authority)).await);
    }
}

pub fn own_authority() -> Option<String> {
    own_address(&configuration()).strip_prefix("http://").map(str::to_owned)
}

async fn accepts(authority: &str) {
    while TcpStream::connect(authority).await.is_err() {
        tokio::time::sleep(GLANCE).await;
    }
}

pub fn host_info(settings: &Settings) -> HostInfo {
    let keeps_json = manifest::keeps_json(settings.schema);
    let path = configuration();
    let configured = settings.gateway_url.clone();
    HostInfo {
        name: "cliproxyapi".to_owned(),
        version: String::new(),
        schema: settings.schema,
        capabilities: keeps_json.then(|| "raw-json".to_owned()).into_iter().collect(),
        gateway_url: if configured.is_empty() { own_address(&path) } else { configured },
        config_path: path.to_string_lossy().into_owned(),
        plugin_version: manifest::version(),
        resource_base: manifest::RESOURCES.to_owned(),
    }
}

/// Return the loopback address of the gateway; empty where its configuration cannot be read or lets the system choose.
fn own_address(configuration: &Path) -> String {
    let text = std::fs::read_to_string(configuration).unwrap_or_default();
    let document = YamlLoader::load_from_str(&text).ok().and_then(|found| found.into_iter().next());
    address_in(&document.unwrap_or(Yaml::Null))
}

fn address_in(tree: &Yaml) -> String {
    let Some(port @ 1..=65535) = tree["port"].as_i64() else {
        return String::new();
    };
    let host = match tree["host"].as_str().unwrap_or_default().trim() {
        "" | "0.0.0.0" | "::" => "127.0.0.1".to_owned(),
        host if host.contains(':') => format!("[{host}]"),
        host => host.to_owned(),
    };
    let scheme = if tree["tls"]["enable"].as_bool() == Some(true) { "https" } else { "http" };
    format!("{scheme}://{host}:{port}")
}

fn configuration() -> PathBuf {
    let arguments: Vec<String> = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    let folder = std::env::current_dir().unwrap_or_default();
    named_configuration(&arguments, &folder)
}

fn named_configuration(arguments: &[String], folder: &Path) -> PathBuf {
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let option = word.trim_start_matches('-');
        if option.len() == word.len() {
            continue;
        }
        if option == "config" {
            return words.next().map_or_else(|| folder.join("config.yaml"), |path| folder.join(path));
        }
        if let Some(path) = option.strip_prefix("config=") {
            return folder.join(path);
        }
    }
    folder.join("config.yaml")
}

#[cfg(test)]
#[path = "../../../../../tests/extension/plugin/shim/host/gateway.rs"]
mod tests;
