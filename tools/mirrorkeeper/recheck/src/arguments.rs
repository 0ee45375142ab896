//! Arguments of this program, in the order in which `mirrorkeeper` takes them.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;

/// Options of `mirrorkeeper` itself; each takes a value, as the next word or joined.
const GLOBAL: [&str; 2] = ["-C", "--config"];
const JOINED: [&str; 2] = ["-C", "--config="];

/// The arguments before and after the words `mirror verify`.
#[derive(Debug, PartialEq, Eq)]
pub struct Arguments {
    /// Leading pairs of a global option and its value.
    pub global: Vec<OsString>,
    /// Everything else.
    pub own: Vec<OsString>,
}

impl Arguments {
    /// Take leading pairs for options of `mirrorkeeper`, and the rest for those of `mirror verify`.
    pub fn split(given: impl Iterator<Item = OsString>) -> Self {
        let mut global: Vec<OsString> = given.collect();
        let mut end = 0;
        while let Some(length) = length_of_global(&global[end..]) {
            end += length;
        }
        let own = global.split_off(end);
        Self { global, own }
    }

    /// Return the words of the command.
    pub fn of_the_command(&self) -> impl Iterator<Item = OsString> + '_ {
        let words: &[&str] = if self.are_whole() { &[] } else { &["mirror", "verify"] };
        let words = words.iter().map(OsString::from);
        self.global.iter().cloned().chain(words).chain(self.own.iter().cloned())
    }

    /// Return whether `mirrorkeeper` answers these by itself: its version, or that a value is missing.
    fn are_whole(&self) -> bool {
        match self.own.as_slice() {
            [only] if GLOBAL.iter().any(|name| only == name) => true,
            words => words.first().is_some_and(|word| word == "--version"),
        }
    }

    /// Return whether help is wanted.
    pub fn want_help(&self) -> bool {
        self.own.iter().any(|word| word == "--help")
    }
}

/// Return how many words the option of `mirrorkeeper` has that these begin with.
fn length_of_global(words: &[OsString]) -> Option<usize> {
    let first = words.first()?;
    if GLOBAL.iter().any(|name| first == name) {
        return (words.len() > 1).then_some(2);
    }
    let begins = |name: &&str| first.as_bytes().starts_with(OsStr::new(*name).as_bytes());
    JOINED.iter().any(begins).then_some(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(given: &[&str]) -> String {
        let words: Vec<OsString> = Arguments::split(given.iter().map(OsString::from))
            .of_the_command()
            .collect();
        words.join(" ".as_ref()).into_string().unwrap()
    }

    #[test]
    fn leading_pairs_go_before_the_words() {
        assert_eq!(command(&[]), "mirror verify");
        assert_eq!(command(&["--bytes"]), "mirror verify --bytes");
        assert_eq!(
            command(&["-C", "a", "--config", "b", "--bytes"]),
            "-C a --config b mirror verify --bytes"
        );
    }

    #[test]
    fn a_value_may_be_joined_to_its_option() {
        assert_eq!(
            command(&["-Ca", "--config=b", "--bytes"]),
            "-Ca --config=b mirror verify --bytes"
        );
    }

    #[test]
    fn the_version_is_that_of_mirrorkeeper() {
        assert_eq!(command(&["--version"]), "--version");
    }

    #[test]
    fn an_option_without_its_value_is_answered_by_mirrorkeeper() {
        assert_eq!(command(&["-C"]), "-C");
        assert_eq!(command(&["-C", "a", "--config"]), "-C a --config");
        assert_eq!(command(&["-C", "-C"]), "-C -C mirror verify");
    }

    #[test]
    fn everything_else_stays_behind_them() {
        assert_eq!(command(&["--bytes", "-C", "a"]), "mirror verify --bytes -C a");
        assert_eq!(command(&["--bytes", "-C"]), "mirror verify --bytes -C");
    }
}
