//! Arguments of this program, in the order in which `mirrorkeeper` takes them.

use std::ffi::OsString;

/// Options of `mirrorkeeper` itself; each takes a value.
const GLOBAL: [&str; 2] = ["-C", "--config"];

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
        while end + 1 < global.len() && GLOBAL.iter().any(|name| global[end] == *name) {
            end += 2;
        }
        let own = global.split_off(end);
        Self { global, own }
    }

    /// Return the words of the command.
    pub fn of_the_command(&self) -> impl Iterator<Item = OsString> + '_ {
        let words = ["mirror", "verify"].map(OsString::from);
        self.global.iter().cloned().chain(words).chain(self.own.iter().cloned())
    }
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
    fn everything_else_stays_behind_them() {
        assert_eq!(command(&["--bytes", "-C", "a"]), "mirror verify --bytes -C a");
        assert_eq!(command(&["-C", "a", "--config"]), "-C a mirror verify --config");
        assert_eq!(command(&["-C"]), "mirror verify -C");
    }
}
