use super::*;
use crate::contract::Header;

#[test]
fn headers_come_out_in_canonical_form_and_repeated_ones_together() {
    let header = |name: &str, value: &str| Header { name: name.into(), values: vec![value.into()] };
    let response = HttpResponse {
        status: 200,
        headers: vec![header("set-cookie", "a"), header("Set-Cookie", "b"), header("content-length", "9")],
        body: vec![1],
    };

    let answer = relayed(response).described(Way::default());

    assert_eq!(answer["Headers"], json!({"Set-Cookie": ["a", "b"]}));
    assert_eq!(answer["Body"], json!("AQ=="));
}

#[test]
fn a_page_cannot_be_made_to_run_anything() {
    let problem = Problem { status: 503, error: "<script>".into(), code: "x", hint: "\"&".into() };

    assert!(!problem.page().contains("<script>"));
    let described = |page: bool| problem.answer(page).described(Way::default());
    assert_eq!(described(true)["Headers"]["Retry-After"], json!(["2"]));
    assert_eq!(described(false)["Headers"]["Content-Type"], json!(["application/json"]));
}
