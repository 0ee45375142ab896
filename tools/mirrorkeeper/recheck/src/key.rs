//! Key of a record: everything an answer depends on besides the files that the command names.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, IsTerminal};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use sha2::{Digest, Sha256};

/// Format of records; another one makes all that are kept unknown.
const FORMAT: &[u8] = b"1";
const PREFIXES: [&str; 6] = ["GIT_", "GITHUB_", "LC_", "MIRRORKEEPER_", "PYTHON", "XDG_"];
const NAMES: [&str; 11] = [
    "CI",
    "COLUMNS",
    "HOME",
    "LANG",
    "LANGUAGE",
    "MIRROR_CACHE",
    "NO_COLOR",
    "PATH",
    "TERM",
    "TMPDIR",
    "TZ",
];
const RIGHTS: [&str; 4] = ["Uid:", "Gid:", "Groups:", "CapEff:"];

/// Return the key of this call, in hexadecimal digits.
///
/// # Arguments
///
/// * `own` - this program.
/// * `program` - the command it runs.
pub fn of_this_call(own: &Path, program: &Path) -> io::Result<String> {
    let mut key = Key::new();
    let folder = env::current_dir()?;
    key.add(folder.as_os_str());
    let here = fs::metadata(".")?;
    key.add_numbers(&[here.dev(), here.ino()]);
    for program in [own, program] {
        key.add_file(&fs::metadata(program)?);
    }
    // SAFETY: the call takes nothing, changes nothing and cannot fail.
    key.add_numbers(&[u64::from(unsafe { libc::geteuid() })]);
    key.add_all(rights().into_iter());
    // An answer to a terminal may differ from one to a file.
    let terminals = [
        io::stdin().is_terminal(),
        io::stdout().is_terminal(),
        io::stderr().is_terminal(),
    ];
    key.add_numbers(&terminals.map(u64::from));
    key.add_all(env::args_os().skip(1));
    key.add_all(environment(env::vars_os()));
    Ok(hexadecimal(&key.0.finalize()))
}

/// Return what decides which files this process may read, where the system says so: its groups and capabilities.
fn rights() -> Vec<OsString> {
    let status = fs::read("/proc/self/status").unwrap_or_default();
    status
        .split(|&byte| byte == b'\n')
        .filter(|line| RIGHTS.iter().any(|name| line.starts_with(name.as_bytes())))
        .map(|line| OsStr::from_bytes(line).to_owned())
        .collect()
}

/// Return names and values, one after the other, of the variables that git, Python and the command look at.
fn environment(variables: impl Iterator<Item = (OsString, OsString)>) -> impl Iterator<Item = OsString> {
    let mut kept: Vec<_> = variables.filter(|(name, _)| counts(name)).collect();
    kept.sort();
    kept.into_iter().flat_map(|(name, value)| [name, value])
}

fn counts(name: &OsStr) -> bool {
    let bytes = name.as_bytes();
    NAMES.iter().any(|known| name == *known) || PREFIXES.iter().any(|prefix| bytes.starts_with(prefix.as_bytes()))
}

struct Key(Sha256);

impl Key {
    fn new() -> Self {
        let mut key = Self(Sha256::new());
        key.add(OsStr::from_bytes(FORMAT));
        key
    }

    fn add(&mut self, text: &OsStr) {
        self.add_numbers(&[text.len() as u64]);
        self.0.update(text.as_bytes());
    }

    fn add_all(&mut self, texts: impl Iterator<Item = OsString>) {
        let texts: Vec<_> = texts.collect();
        self.add_numbers(&[texts.len() as u64]);
        for text in texts {
            self.add(&text);
        }
    }

    fn add_numbers(&mut self, numbers: &[u64]) {
        for number in numbers {
            self.0.update(number.to_le_bytes());
        }
    }

    fn add_file(&mut self, file: &fs::Metadata) {
        self.add_numbers(&[file.dev(), file.ino(), file.size(), u64::from(file.mode())]);
        for time in [file.mtime(), file.mtime_nsec(), file.ctime(), file.ctime_nsec()] {
            self.0.update(time.to_le_bytes());
        }
    }
}

/// Return bytes as hexadecimal digits.
pub fn hexadecimal(bytes: &[u8]) -> String {
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.filter_map(|digit| char::from_digit(digit.into(), 16)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_of_git_and_python_count_and_others_do_not() {
        for name in [
            "GIT_DIR",
            "PYTHONPATH",
            "XDG_CACHE_HOME",
            "LC_ALL",
            "HOME",
            "PATH",
            "MIRROR_CACHE",
        ] {
            assert!(counts(name.as_ref()), "{name}");
        }
        for name in ["SHLVL", "HOMES", "MY_GIT_DIR", ""] {
            assert!(!counts(name.as_ref()), "{name}");
        }
    }

    #[test]
    fn the_order_of_variables_does_not_matter() {
        let pair = |name: &str| (OsString::from(name), OsString::from("x"));
        let one: Vec<_> = environment([pair("TZ"), pair("HOME"), pair("SHLVL")].into_iter()).collect();

        assert_eq!(one, ["HOME", "x", "TZ", "x"]);
    }

    #[test]
    fn texts_do_not_run_into_each_other() {
        let key = |texts: &[&str]| {
            let mut key = Key::new();
            key.add_all(texts.iter().map(OsString::from));
            hexadecimal(&key.0.finalize())
        };

        assert_ne!(key(&["ab", "c"]), key(&["a", "bc"]));
        assert_ne!(key(&["a", ""]), key(&["a"]));
    }

    #[test]
    fn hexadecimal_digits_come_in_order() {
        assert_eq!(hexadecimal(&[0x01, 0xfe]), "01fe");
    }
}
