//! The JSON envelope around every answer in both directions.

use serde_json::{json, Value};

/// Return the envelope of a result.
pub fn success(result: &Value) -> Vec<u8> {
    json!({"ok": true, "result": result}).to_string().into_bytes()
}

/// Return the envelope of a failure.
pub fn failure(code: &str, message: &str) -> Vec<u8> {
    json!({"ok": false, "error": {"code": code, "message": message}})
        .to_string()
        .into_bytes()
}

/// Return the result inside an envelope, or the message of its error.
pub fn opened(bytes: &[u8]) -> Result<Value, String> {
    let mut envelope: Value =
        serde_json::from_slice(bytes).map_err(|error| format!("envelope is not JSON: {error}"))?;
    if envelope["ok"] == json!(true) {
        return Ok(envelope["result"].take());
    }
    Err(envelope["error"]["message"]
        .as_str()
        .unwrap_or("the gateway gave no reason")
        .to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_comes_out_as_it_went_in() {
        let result = json!({"files": [1, 2]});

        assert_eq!(opened(&success(&result)), Ok(result));
    }

    #[test]
    fn a_failure_comes_out_as_its_message() {
        assert_eq!(opened(&failure("x", "unsupported")), Err("unsupported".to_owned()));
        assert!(opened(b"garbage").is_err());
    }
}
