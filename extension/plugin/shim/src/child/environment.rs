//! Environment of the process: an allow-list, because the gateway's own holds secrets.

const NAMES: [&str; 15] = [
    "PATH",
    "HOME",
    "LANG",
    "TZ",
    "TMPDIR",
    "USER",
    "LOGNAME",
    "XDG_DATA_HOME",
    "XDG_RUNTIME_DIR",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
    "NO_PROXY",
    "SSL_CERT_DIR",
    "SSL_CERT_FILE",
];
const PREFIXES: [&str; 2] = ["POOLKEEPER_", "LC_"];
const PASSWORD: &str = "MANAGEMENT_PASSWORD";

/// Return the variables passed on; the management password only to a process that has no key of its own.
pub fn passed_on(
    variables: impl Iterator<Item = (String, String)>,
    with_password: bool,
) -> impl Iterator<Item = (String, String)> {
    variables.filter(move |(name, _)| {
        let upper = name.to_ascii_uppercase();
        let proxy = upper.ends_with("_PROXY");
        NAMES.contains(&if proxy { upper.as_str() } else { name.as_str() })
            || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
            || (with_password && name == PASSWORD)
    })
}

#[cfg(test)]
#[path = "../../../../../tests/extension/plugin/shim/child/environment.rs"]
mod tests;
