//! Answers this library gives by itself, in the forms the service uses: a JSON problem, or a page for people.

use base64::prelude::{Engine, BASE64_STANDARD};
use serde_json::{json, Map, Value};

use crate::contract::HttpResponse;
use crate::relay::rewriting::Way;

const PAGE_POLICY: &str = "default-src 'none'; frame-ancestors 'self'";
/// Set by the gateway itself, or about one connection only.
const NOT_RELAYED: [&str; 4] = ["content-length", "connection", "transfer-encoding", "keep-alive"];

/// A problem: the event, a slug for programs, the next step.
pub struct Problem {
    pub status: u32,
    pub error: String,
    pub code: &'static str,
    pub hint: String,
}

impl Problem {
    /// Make the answer: JSON, or a page where a person looks at it.
    pub fn answer(&self, as_page: bool) -> Answer {
        let (kind, body) = if as_page {
            ("text/html; charset=utf-8", self.page())
        } else {
            ("application/json", json!({"error": self.error, "code": self.code, "hint": self.hint}).to_string())
        };
        let mut headers = json!({
            "Content-Type": [kind],
            "Cache-Control": ["no-store"],
            "Content-Security-Policy": [PAGE_POLICY],
            "X-Content-Type-Options": ["nosniff"],
        });
        if self.status == 503 {
            headers["Retry-After"] = json!(["2"]);
        }
        Answer { status: self.status, headers, body: body.into_bytes() }
    }

    fn page(&self) -> String {
        format!(
            "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" content=\"3\">\
             <title>Poolkeeper</title><h1>Poolkeeper</h1><p>{}.</p><p>{}</p></html>\n",
            escaped(&self.error),
            escaped(&self.hint)
        )
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

pub struct Answer {
    status: u32,
    headers: Value,
    body: Vec<u8>,
}

impl Answer {
    pub fn empty() -> Self {
        Self { status: 204, headers: json!({}), body: Vec::new() }
    }

    /// Return the answer as the gateway wants it, so that it leaves the body as it is.
    pub fn described(mut self, way: Way) -> Value {
        let kind = self.headers["Content-Type"][0].as_str().unwrap_or_default();
        let coded = self.headers.get("Content-Encoding").is_some();
        let protected = if coded { None } else { way.protected(kind, &self.body) };
        if let Some((body, compressed)) = protected {
            self.body = body;
            if compressed {
                self.headers["Content-Encoding"] = json!(["gzip"]);
            }
            self.headers["Vary"] = json!(["Accept-Encoding"]);
        }
        json!({
            "StatusCode": self.status,
            "Headers": self.headers,
            "Body": BASE64_STANDARD.encode(&self.body),
        })
    }
}

/// Return the answer of the process with its headers in the gateway's form.
pub fn relayed(response: HttpResponse) -> Answer {
    let mut headers = Map::new();
    for header in &response.headers {
        if !NOT_RELAYED.contains(&header.name.to_ascii_lowercase().as_str()) {
            let values = headers.entry(canonical(&header.name)).or_insert_with(|| json!([]));
            if let Value::Array(list) = values {
                list.extend(header.values.iter().map(|value| json!(value)));
            }
        }
    }
    Answer { status: response.status, headers: Value::Object(headers), body: response.body }
}

/// The gateway looks up `Content-Type` in this form alone.
fn canonical(name: &str) -> String {
    let parts = name.split('-').map(|part| {
        let lower = part.to_ascii_lowercase();
        lower.get(..1).map_or(String::new(), str::to_ascii_uppercase) + lower.get(1..).unwrap_or_default()
    });
    parts.collect::<Vec<_>>().join("-")
}

#[cfg(test)]
#[path = "../../../../../tests/extension/plugin/shim/relay/answers.rs"]
mod tests;
