//! Protection of JSON from gateways that rewrite it.
//!
//! Theory: below plugin schema 6 a gateway parses each answer to a management request that is JSON, escapes `<>&'"` in
//! its strings as HTML, and writes it again with sorted keys. The escaping follows the parsing, so no spelling of a
//! character (`\u003c`) escapes it; only a body that the gateway's parser refuses goes out as it is. That is a
//! compressed one, or, for clients that do not take it, one behind a byte order mark, which readers of JSON skip. A
//! document without such characters needs neither.

use serde_json::Value;

use crate::contract::HttpRequest;

const MARK: [u8; 3] = [0xEF, 0xBB, 0xBF];
const LONGEST_BLOCK: usize = 0xFFFF;

/// How an answer reaches its client.
#[derive(Clone, Copy, Default)]
pub struct Way {
    pub rewritten: bool,
    pub gzip: bool,
}

impl Way {
    pub fn of(request: &HttpRequest, rewritten: bool) -> Self {
        let named = |name: &str| name.eq_ignore_ascii_case("accept-encoding");
        let offers = request.headers.iter().filter(|header| named(&header.name));
        Self { rewritten, gzip: offers.flat_map(|header| &header.values).any(|value| takes_gzip(value)) }
    }

    pub fn of_unknown(rewritten: bool) -> Self {
        Self { rewritten, gzip: false }
    }

    /// Return the body to send in place of one that would be rewritten, and whether it is compressed.
    pub fn protected(self, kind: &str, body: &[u8]) -> Option<(Vec<u8>, bool)> {
        if !self.rewritten || !looks_like_json(kind, body) || !has_marked_character(body) || !is_one_document(body) {
            return None;
        }
        if self.gzip {
            return Some((stored(body), true));
        }
        Some(([&MARK, body].concat(), false))
    }
}

fn takes_gzip(offers: &str) -> bool {
    let lower = offers.to_ascii_lowercase();
    let mut named = lower.split(',').map(|offer| offer.split_once(';').unwrap_or((offer, "")));
    named.any(|(coding, weight)| {
        let refused = weight.trim().strip_prefix("q=").is_some_and(|q| q.trim().parse() == Ok(0.0_f32));
        matches!(coding.trim(), "gzip" | "*") && !refused
    })
}

fn looks_like_json(kind: &str, body: &[u8]) -> bool {
    let media = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let first = body.trim_ascii_start().first();
    media == "application/json" || media.ends_with("+json") || matches!(first, Some(b'{' | b'['))
}

/// Return whether a string of the document may hold a character that is escaped; a key may be taken for one.
fn has_marked_character(body: &[u8]) -> bool {
    let mut bytes = body.iter();
    while let Some(byte) = bytes.next() {
        let escaped = match byte {
            b'<' | b'>' | b'&' | b'\'' => true,
            b'\\' => match bytes.next() {
                Some(b'"') => true,
                Some(b'u') => is_marked_code(bytes.as_slice()),
                _ => false,
            },
            _ => false,
        };
        if escaped {
            return true;
        }
    }
    false
}

fn is_marked_code(digits: &[u8]) -> bool {
    let code = digits.get(..4).and_then(|four| std::str::from_utf8(four).ok());
    let code = code.and_then(|four| u8::from_str_radix(four, 16).ok());
    code.is_some_and(|code| b"<>&'\"".contains(&code))
}

/// Lines of JSON are more than one document, and left alone.
fn is_one_document(body: &[u8]) -> bool {
    serde_json::from_slice::<Value>(body).is_ok()
}

/// Return gzip of stored blocks: such answers are short, and a compressor would be a tenth of the library.
fn stored(body: &[u8]) -> Vec<u8> {
    let mut out = vec![0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF];
    let last = body.len().saturating_sub(1) / LONGEST_BLOCK;
    for (number, block) in body.chunks(LONGEST_BLOCK).enumerate() {
        let length = u16::try_from(block.len()).unwrap_or(u16::MAX);
        out.push(u8::from(number == last));
        out.extend(length.to_le_bytes());
        out.extend((!length).to_le_bytes());
        out.extend(block);
    }
    out.extend(checksum(body).to_le_bytes());
    out.extend(u32::try_from(body.len()).unwrap_or(u32::MAX).to_le_bytes());
    out
}

fn checksum(body: &[u8]) -> u32 {
    !body.iter().fold(u32::MAX, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |rest, _| (rest >> 1) ^ (0xEDB8_8320 & (rest & 1).wrapping_neg()))
    })
}

#[cfg(test)]
#[path = "../../../../../tests/extension/plugin/shim/relay/rewriting.rs"]
mod tests;
