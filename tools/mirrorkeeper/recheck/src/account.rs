//! The account that the command gives of its answer: what it rested on, when it was, and the answer.
//!
//! Fields end with a NUL: `mirrorkeeper record 1`, pairs of a kind and an absolute path, then `checked` with a time and
//! `answer` with the text, which is the last. Anything else is no account: it was not finished, or is of another time.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

const HEAD: &[u8] = b"mirrorkeeper record 1";

/// How far an answer rested on a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// On what is at the path, and behind it if that is a link; or on there being nothing.
    Entry,
    /// On that and everything beneath, without following links.
    Tree,
    /// On that and everything beneath, and on there being no link: something else is behind one.
    Linkless,
    /// On there being nothing, before the check as well as after it.
    Absent,
    /// On a tree and all contents in it.
    Bytes,
}

impl Kind {
    fn named(name: &[u8]) -> Option<Self> {
        match name {
            b"entry" => Some(Self::Entry),
            b"tree" => Some(Self::Tree),
            b"linkless" => Some(Self::Linkless),
            b"absent" => Some(Self::Absent),
            b"bytes" => Some(Self::Bytes),
            _ => None,
        }
    }
}

/// A path that the answer rested on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ground<'a> {
    /// How far.
    pub kind: Kind,
    /// An absolute path.
    pub path: &'a Path,
}

/// The account, read.
#[derive(Debug, PartialEq, Eq)]
pub struct Account<'a> {
    /// What the answer rested on; never empty.
    pub grounds: Vec<Ground<'a>>,
    /// The time of the check, in words.
    pub checked: &'a [u8],
    /// Standard output of the command.
    pub answer: &'a [u8],
}

impl<'a> Account<'a> {
    /// Read an account; None when it is not complete.
    pub fn parse(text: &'a [u8]) -> Option<Self> {
        let mut fields = text.strip_suffix(b"\0")?.split(|&byte| byte == 0);
        if fields.next()? != HEAD {
            return None;
        }
        let mut grounds = Vec::new();
        loop {
            let name = fields.next()?;
            let value = fields.next()?;
            if name == b"checked" {
                let answer = (fields.next()? == b"answer").then(|| fields.next())??;
                // An answer that rested on nothing would hold forever.
                let complete = fields.next().is_none() && !grounds.is_empty() && !value.is_empty();
                return complete.then_some(Self {
                    grounds,
                    checked: value,
                    answer,
                });
            }
            let path = Path::new(OsStr::from_bytes(value));
            if !path.is_absolute() {
                return None;
            }
            grounds.push(Ground {
                kind: Kind::named(name)?,
                path,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: &[u8] = b"mirrorkeeper record 1\0entry\0/a\nb\xff\0bytes\0/c\0checked\0today\0answer\0clean\n\0";

    #[test]
    fn a_whole_account_is_read() {
        let read = Account::parse(WHOLE).unwrap();
        let paths: Vec<_> = read
            .grounds
            .iter()
            .map(|ground| (ground.kind, ground.path.as_os_str().as_bytes()))
            .collect();

        assert_eq!(paths, [(Kind::Entry, &b"/a\nb\xff"[..]), (Kind::Bytes, &b"/c"[..])]);
        assert_eq!((read.checked, read.answer), (&b"today"[..], &b"clean\n"[..]));
    }

    #[test]
    fn an_account_that_stops_anywhere_is_none() {
        for end in 0..WHOLE.len() {
            assert_eq!(Account::parse(&WHOLE[..end]), None, "{end}");
        }
    }

    #[test]
    fn an_empty_answer_is_one() {
        let text = b"mirrorkeeper record 1\0tree\0/\0checked\0today\0answer\0\0";
        assert_eq!(Account::parse(text).unwrap().answer, b"");
    }

    #[test]
    fn an_account_with_anything_unknown_is_none() {
        for text in [
            &b"mirrorkeeper record 2\0tree\0/\0checked\0today\0answer\0\0"[..],
            b"mirrorkeeper record 1\0trees\0/\0checked\0today\0answer\0\0",
            b"mirrorkeeper record 1\0tree\0a\0checked\0today\0answer\0\0",
            b"mirrorkeeper record 1\0tree\0\0checked\0today\0answer\0\0",
            b"mirrorkeeper record 1\0checked\0today\0answer\0\0",
            b"mirrorkeeper record 1\0tree\0/\0checked\0\0answer\0\0",
            b"mirrorkeeper record 1\0tree\0/\0answer\0\0checked\0today\0",
            b"mirrorkeeper record 1\0tree\0/\0checked\0today\0answer\0\0more\0",
        ] {
            assert_eq!(Account::parse(text), None);
        }
    }
}
