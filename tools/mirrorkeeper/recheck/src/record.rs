//! A record: the account of an answer, and the fingerprint of everything that the answer rested on.

use sha2::{Digest, Sha256};

use crate::account::Account;
use crate::fingerprint::Fingerprint;
use crate::moment::Moment;
use crate::settled::is_settled;

const HEAD: &[u8] = b"mirrorkeeper verified 1\0";
const SIZE: usize = 32;

/// A record; its seal is over the account and the fingerprint, so that a damaged one holds for nothing.
pub struct Record<'a> {
    /// The account as the command wrote it.
    text: &'a [u8],
    /// The account, read.
    pub account: Account<'a>,
    seal: [u8; SIZE],
}

impl<'a> Record<'a> {
    /// Make the record of a new account; None when it is not complete, or something may have changed since `asked`.
    pub fn of_settled(text: &'a [u8], asked: Moment) -> Option<Self> {
        let account = Account::parse(text)?;
        let fingerprint = Fingerprint::take(&account.grounds).ok()?;
        let seal = seal(text, &fingerprint);
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
    pub fn still_holds(&self) -> bool {
        Fingerprint::take(&self.account.grounds).is_ok_and(|now| seal(self.text, &now) == self.seal)
    }

    /// Return the record as it is kept.
    pub fn to_bytes(&self) -> Vec<u8> {
        [HEAD, &self.seal, self.text].concat()
    }
}

fn seal(text: &[u8], fingerprint: &Fingerprint) -> [u8; SIZE] {
    let mut seal = Sha256::new_with_prefix(fingerprint.digest);
    seal.update(text);
    seal.finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept() -> Vec<u8> {
        let text: &[u8] = b"mirrorkeeper record 1\0entry\0/nothing/here\0checked\0today\0answer\0clean\n\0";
        let account = Account::parse(text).unwrap();
        let seal = seal(text, &Fingerprint::take(&account.grounds).unwrap());
        Record { text, account, seal }.to_bytes()
    }

    #[test]
    fn a_kept_record_holds_as_long_as_nothing_changes() {
        assert!(Record::parse(&kept()).unwrap().still_holds());
    }

    #[test]
    fn a_record_with_any_byte_changed_does_not_hold() {
        let whole = kept();
        for place in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[place] ^= 1;
            assert!(
                !Record::parse(&damaged).is_some_and(|record| record.still_holds()),
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
