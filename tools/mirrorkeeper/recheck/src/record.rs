//! A record: the account of an answer, and the fingerprint of everything that the answer rested on.

use sha2::{Digest, Sha256};

use crate::account::Account;
use crate::fingerprint::{Contents, Fingerprint};
use crate::moment::Moment;
use crate::settled::is_settled;

const HEAD: &[u8] = b"mirrorkeeper verified 1\0";
const SIZE: usize = 32;

/// A record; its seal is over the key, the account and the fingerprint: a damaged one, or that of another call, holds for
/// nothing.
pub struct Record<'a> {
    /// The account as the command wrote it.
    text: &'a [u8],
    /// The account, read.
    pub account: Account<'a>,
    seal: [u8; SIZE],
}

impl<'a> Record<'a> {
    /// Make the record of a new account; None when it is not complete, or something may have changed since `asked`.
    pub fn of_settled(key: &str, text: &'a [u8], asked: Moment) -> Option<Self> {
        let account = Account::parse(text)?;
        // Right after a change little is at rest, and reading everything once more would be in vain.
        let first = Fingerprint::take(&account.grounds, Contents::LeftOut).ok()?;
        if !is_settled(&first, &account.grounds, asked) {
            return None;
        }
        let fingerprint = Fingerprint::take(&account.grounds, Contents::Read).ok()?;
        let seal = seal(key, text, &fingerprint);
        is_settled(&fingerprint, &account.grounds, asked).then_some(Self { text, account, seal })
    }

    /// Read a kept record.
    pub fn parse(kept: &'a [u8]) -> Option<Self> {
        let (seal, text) = kept.strip_prefix(HEAD)?.split_first_chunk::<SIZE>()?;
        Some(Self {
            text,
            account: Account::parse(text)?,
            seal: *seal,
        })
    }

    /// Return whether everything that the answer rested on is as it was.
    pub fn still_holds(&self, key: &str) -> bool {
        Fingerprint::take(&self.account.grounds, Contents::Read)
            .is_ok_and(|now| seal(key, self.text, &now) == self.seal)
    }

    /// Return the record as it is kept.
    pub fn to_bytes(&self) -> Vec<u8> {
        [HEAD, &self.seal, self.text].concat()
    }
}

fn seal(key: &str, text: &[u8], fingerprint: &Fingerprint) -> [u8; SIZE] {
    let mut seal = Sha256::new_with_prefix(fingerprint.digest);
    seal.update(key);
    seal.update(text);
    seal.finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "0a";

    fn kept() -> Vec<u8> {
        let text: &[u8] = b"mirrorkeeper record 1\0entry\0/nothing/here\0checked\0today\0answer\0clean\n\0";
        let account = Account::parse(text).unwrap();
        let seal = seal(KEY, text, &Fingerprint::take(&account.grounds, Contents::Read).unwrap());
        Record { text, account, seal }.to_bytes()
    }

    #[test]
    fn a_kept_record_holds_as_long_as_nothing_changes() {
        assert!(Record::parse(&kept()).unwrap().still_holds(KEY));
    }

    #[test]
    fn a_record_of_another_call_does_not_hold() {
        assert!(!Record::parse(&kept()).unwrap().still_holds("0b"));
    }

    #[test]
    fn a_record_with_any_byte_changed_does_not_hold() {
        let whole = kept();
        for place in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[place] ^= 1;
            assert!(
                !Record::parse(&damaged).is_some_and(|record| record.still_holds(KEY)),
                "{place}"
            );
        }
    }

    #[test]
    fn a_record_that_stops_early_is_none() {
        let whole = kept();
        for end in 0..whole.len() {
            assert!(Record::parse(&whole[..end]).is_none(), "{end}");
        }
    }
}
