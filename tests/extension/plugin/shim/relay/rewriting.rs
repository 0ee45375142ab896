use super::*;
use crate::contract::Header;

const JSON: &str = "application/json";
const PLAIN: Way = Way { rewritten: true, gzip: false };

#[test]
fn only_documents_with_escaped_characters_are_protected() {
    for body in [r#"{"a":"<"}"#, r#"["\u003C"]"#, r#"["\u0027"]"#, r#"[" \" "]"#, " [\"&\"]"] {
        let (sent, compressed) = PLAIN.protected("text/plain", body.as_bytes()).unwrap();
        assert_eq!((&sent[..3], &sent[3..], compressed), (&MARK[..], body.as_bytes(), false));
    }
    for body in [r#"{"a":"名"}"#, r#"["\\"]"#, r#"["\u00e9\n"]"#, "{\"a\":\"<\"}\n{}", "<p>", ""] {
        assert_eq!(PLAIN.protected(JSON, body.as_bytes()), None, "{body}");
    }
    assert_eq!(Way::default().protected(JSON, b"[\"<\"]"), None);
}

#[test]
fn a_client_that_takes_gzip_gets_it() {
    let cases = [
        ("gzip", true),
        ("br, GZIP;q=0.5", true),
        ("*", true),
        ("gzip;q=0", false),
        ("gzip; q=0.0", false),
        ("", false),
    ];
    for (offered, gzip) in cases {
        let header = Header { name: "Accept-Encoding".into(), values: vec![offered.into()] };
        let request = HttpRequest { headers: vec![header], ..HttpRequest::default() };
        let (sent, compressed) = Way::of(&request, true).protected(JSON, b"[\"<\"]").unwrap();
        assert_eq!((compressed, sent[0] == 0x1F), (gzip, gzip), "{offered}");
    }
}

#[test]
fn stored_blocks_carry_the_checksum_of_gzip() {
    assert_eq!(checksum(b"123456789"), 0xCBF4_3926);
    let long = stored(&vec![b'x'; 70_000]);
    assert_eq!(long.len(), 10 + 2 * 5 + 70_000 + 8);
    assert_eq!((long[10], long[10 + 5 + LONGEST_BLOCK]), (0, 1));
}
