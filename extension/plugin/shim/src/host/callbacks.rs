//! Calls of the process to the gateway, translated to the gateway's own JSON callbacks.

use base64::prelude::{Engine, BASE64_STANDARD};
use serde_json::{json, Map, Value};

use crate::contract as pb;
use crate::host::envelope::opened;

/// One function of the gateway: method and JSON in, envelope out.
pub type HostCall<'a> = &'a dyn Fn(&str, &[u8]) -> Result<Vec<u8>, String>;

fn called(host: HostCall<'_>, method: &str, request: &Value) -> Result<Value, String> {
    opened(&host(method, request.to_string().as_bytes())?)
}

/// Write a line to the gateway's log.
pub fn log(host: HostCall<'_>, record: &pb::LogRecord) -> Result<(), String> {
    let level = match record.level {
        pb::LEVEL_DEBUG => "debug",
        pb::LEVEL_WARNING => "warn",
        pb::LEVEL_ERROR => "error",
        _ => "info",
    };
    let request = json!({"level": level, "message": record.message, "fields": {"plugin": "poolkeeper"}});
    called(host, "host.log", &request).map(|_| ())
}

/// List the credential files as the gateway does.
pub fn credentials(host: HostCall<'_>) -> Result<pb::CredentialList, String> {
    let found = called(host, "host.auth.list", &json!({}))?;
    Ok(pb::CredentialList {
        json: found.to_string().into_bytes(),
    })
}

/// Read one credential file by its name.
pub fn credential(host: HostCall<'_>, name: &str) -> Result<pb::CredentialFile, String> {
    let listed = called(host, "host.auth.list", &json!({}))?;
    let files = listed["files"].as_array().map(Vec::as_slice).unwrap_or_default();
    let entry = files.iter().find(|entry| entry["name"] == json!(name));
    let index = entry
        .map(|entry| entry["auth_index"].clone())
        .ok_or("no credential file has this name")?;
    let found = called(host, "host.auth.get", &json!({"auth_index": index}))?;
    Ok(pb::CredentialFile {
        name: name.to_owned(),
        json: found["json"].to_string().into_bytes(),
    })
}

/// Send a request with the gateway's own HTTP client.
pub fn fetch(host: HostCall<'_>, request: &pb::HttpRequest) -> Result<pb::HttpResponse, String> {
    let query = if request.query.is_empty() {
        String::new()
    } else {
        format!("?{}", request.query)
    };
    let headers: Map<String, Value> = request
        .headers
        .iter()
        .map(|header| (header.name.clone(), json!(header.values)))
        .collect();
    let sent = json!({
        "method": request.method,
        "url": format!("{}://{}{}{query}", request.scheme, request.host, request.path),
        "headers": headers,
        "body": BASE64_STANDARD.encode(&request.body),
        "host_callback_id": request.callback_id,
    });
    let found = called(host, "host.http.do", &sent)?;
    Ok(pb::HttpResponse {
        status: found["StatusCode"]
            .as_u64()
            .and_then(|status| u32::try_from(status).ok())
            .unwrap_or_default(),
        headers: headers_of(&found["Headers"]),
        body: decoded(&found["Body"])?,
    })
}

/// Return headers as records; names and values that are no text are left out.
pub fn headers_of(found: &Value) -> Vec<pb::Header> {
    let values = |list: &Value| -> Vec<String> {
        list.as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect()
    };
    let pairs = found.as_object().into_iter().flatten();
    pairs
        .map(|(name, list)| pb::Header {
            name: name.clone(),
            values: values(list),
        })
        .collect()
}

/// Return the bytes of a base64 text; null is empty.
pub fn decoded(found: &Value) -> Result<Vec<u8>, String> {
    let text = found.as_str().unwrap_or_default();
    BASE64_STANDARD
        .decode(text)
        .map_err(|error| format!("body is not base64: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::envelope::{failure, success};

    #[test]
    fn a_request_goes_out_whole_and_its_answer_comes_back_whole() {
        let host = |method: &str, sent: &[u8]| {
            let sent: Value = serde_json::from_slice(sent).unwrap();
            assert_eq!(method, "host.http.do");
            assert_eq!(sent["url"], json!("http://127.0.0.1:1/a?b=c"));
            assert_eq!(sent["headers"], json!({"X": ["1", "2"]}));
            Ok(success(
                &json!({"StatusCode": 204, "Headers": {"Y": ["3"]}, "Body": sent["body"]}),
            ))
        };
        let request = pb::HttpRequest {
            method: "POST".into(),
            path: "/a".into(),
            query: "b=c".into(),
            scheme: "http".into(),
            host: "127.0.0.1:1".into(),
            headers: vec![pb::Header {
                name: "X".into(),
                values: vec!["1".into(), "2".into()],
            }],
            body: vec![0, 255],
            ..Default::default()
        };

        let answer = fetch(&host, &request).unwrap();

        assert_eq!((answer.status, answer.body), (204, vec![0, 255]));
        assert_eq!(
            answer.headers,
            [pb::Header {
                name: "Y".into(),
                values: vec!["3".into()]
            }]
        );
    }

    #[test]
    fn a_credential_is_found_by_its_name() {
        let host = |method: &str, sent: &[u8]| {
            Ok(match method {
                "host.auth.list" => success(&json!({"files": [{"name": "a.json", "auth_index": "7"}]})),
                _ if sent == br#"{"auth_index":"7"}"# => success(&json!({"json": {"k": 1}})),
                _ => failure("x", "wrong index"),
            })
        };

        assert_eq!(credential(&host, "a.json").unwrap().json, br#"{"k":1}"#);
        assert!(credential(&host, "b.json").is_err());
    }

    #[test]
    fn a_refusal_of_the_gateway_is_passed_on() {
        let host = |_: &str, _: &[u8]| Ok(failure("host_call_failed", "unsupported host callback"));

        assert_eq!(credentials(&host).unwrap_err(), "unsupported host callback");
    }
}
