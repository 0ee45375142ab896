use super::*;
use serde_json::json;

fn read(described: &Value, keep_key: bool) -> HttpRequest {
    request(described.to_string().as_bytes(), keep_key).unwrap()
}

#[test]
fn the_query_is_encoded_again() {
    let found = read(&json!({"Path": "/v0/management/x", "Query": {"a b": ["1&2", "ü"], "c": [""]}}), false);

    assert_eq!(found.query, "a%20b=1%262&a%20b=%C3%BC&c=");
}

#[test]
fn the_management_key_is_left_out_unless_it_is_asked_for() {
    let described = json!({
        "Path": "/v0/management/x",
        "Headers": {"Authorization": ["Bearer k"], "x-management-key": ["k"], "Accept": ["*/*"]},
    });

    assert_eq!(read(&described, false).headers.len(), 1);
    assert_eq!(read(&described, true).headers.len(), 3);
}

#[test]
fn a_resource_never_carries_a_key() {
    let path = format!("{RESOURCES}/usage");
    let found = read(&json!({"Path": path, "Headers": {"Authorization": ["Bearer k"]}, "Body": null}), true);

    assert_eq!((found.access, found.headers.len()), (ACCESS_OPEN, 0));
    assert!(is_page(&path) && !is_page(&format!("{RESOURCES}{FILES}page.js")));
    assert!(!is_resource("/v0/resource/plugins/poolkeeper2"));
}

#[test]
fn what_is_no_request_is_refused() {
    assert!(request(b"", false).is_err());
    assert!(request(br#"{"Body": "*"}"#, false).is_err());
}
