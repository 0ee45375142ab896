//! The plugin's own part of the gateway's configuration, as far as the library itself needs it.

use std::path::PathBuf;

use yaml_rust2::{Yaml, YamlLoader};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Launch {
    Spawn(Vec<String>),
    Attach(PathBuf),
}

/// The setting to check when the process does not answer; a reason that ends with it goes on with its value.
pub const COMMAND: &str = "plugins.configs.poolkeeper.command";

impl Launch {
    /// Return a reason as holders of the key and the log may read it: with the value of the setting to check.
    pub fn with_value(&self, reason: &str) -> String {
        match self {
            Self::Spawn(words) if reason.ends_with(COMMAND) => format!("{reason}, which is {}", words[0]),
            _ => reason.to_owned(),
        }
    }

    /// Return a reason as anybody may read it: with the name of the setting, without a path of this machine.
    pub fn without_value(&self, reason: &str) -> String {
        match self {
            Self::Attach(socket) if names_path(reason, &socket.to_string_lossy()) => {
                "its socket cannot be used: check plugins.configs.poolkeeper.socket".to_owned()
            }
            _ => reason.to_owned(),
        }
    }
}

fn names_path(reason: &str, socket: &str) -> bool {
    reason.starts_with('/') || reason.contains(" /") || reason.contains(socket)
}

/// Settings of one configuration; `raw` goes to the process unchanged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    pub raw: Vec<u8>,
    pub schema: u32,
    pub launch: Launch,
    pub gateway_url: String,
    pub key_file: bool,
}

impl Settings {
    /// Read the subtree; a text that cannot be read leaves the defaults.
    pub fn read(raw: &[u8], schema: u32) -> Self {
        let text = String::from_utf8_lossy(raw);
        let document = YamlLoader::load_from_str(&text).ok().and_then(|found| found.into_iter().next());
        let tree = document.unwrap_or(Yaml::Null);
        let socket = text_at(&tree, "socket");
        Self {
            raw: raw.to_vec(),
            schema,
            launch: if socket.is_empty() {
                Launch::Spawn(command(&tree["command"]))
            } else {
                Launch::Attach(socket.into())
            },
            gateway_url: text_at(&tree, "gateway-url"),
            key_file: !text_at(&tree, "management-key-file").is_empty(),
        }
    }

    pub fn needs_restart(&self, newer: &Self) -> bool {
        self.launch != newer.launch || self.key_file != newer.key_file
    }
}

fn text_at(tree: &Yaml, key: &str) -> String {
    tree[key].as_str().unwrap_or_default().trim().to_owned()
}

fn command(found: &Yaml) -> Vec<String> {
    let words: Vec<String> = match found {
        Yaml::String(program) => vec![program.clone(), "plugin".to_owned(), "serve".to_owned()],
        Yaml::Array(words) => words.iter().filter_map(Yaml::as_str).map(str::to_owned).collect(),
        _ => Vec::new(),
    };
    if words.iter().all(|word| word.trim().is_empty()) {
        return ["poolkeeper", "plugin", "serve"].map(str::to_owned).to_vec();
    }
    words
}

#[cfg(test)]
#[path = "../../../../tests/extension/plugin/shim/settings.rs"]
mod tests;
