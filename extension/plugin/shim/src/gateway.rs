//! Facts about the gateway this library is loaded into.

use std::path::{Path, PathBuf};

use crate::contract::HostInfo;
use crate::manifest;
use crate::settings::Settings;

/// Return the facts sent to the process.
pub fn host_info(settings: &Settings) -> HostInfo {
    let mut capabilities = vec!["fetch".to_owned(), "credentials".to_owned()];
    if manifest::keeps_json(settings.schema) {
        capabilities.push("raw-json".to_owned());
    }
    HostInfo {
        name: "cliproxyapi".to_owned(),
        version: String::new(),
        schema: settings.schema,
        capabilities,
        gateway_url: settings.gateway_url.clone(),
        config_path: configuration().to_string_lossy().into_owned(),
        plugin_version: manifest::version(),
        resource_base: manifest::RESOURCES.to_owned(),
    }
}

fn configuration() -> PathBuf {
    let arguments: Vec<String> = std::env::args_os()
        .skip(1)
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
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
            return words
                .next()
                .map_or_else(|| folder.join("config.yaml"), |path| folder.join(path));
        }
        if let Some(path) = option.strip_prefix("config=") {
            return folder.join(path);
        }
    }
    folder.join("config.yaml")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_configuration_is_the_one_the_gateway_was_started_with() {
        let cases: [(&[&str], &str); 5] = [
            (&[], "/g/config.yaml"),
            (&["--config", "/etc/a.yaml"], "/etc/a.yaml"),
            (&["-config=b.yaml"], "/g/b.yaml"),
            (&["-config"], "/g/config.yaml"),
            (&["config", "x"], "/g/config.yaml"),
        ];
        for (arguments, expected) in cases {
            let words: Vec<String> = arguments.iter().map(|word| (*word).to_owned()).collect();
            assert_eq!(named_configuration(&words, Path::new("/g")), Path::new(expected));
        }
    }
}
