// Written by `python -m tools native --write` from plugin.proto.
#![allow(dead_code, missing_docs, clippy::all, clippy::pedantic)]

#[derive(Clone, PartialEq, prost::Message)]
pub struct ConfigureRequest {
    #[prost(message, optional, tag = "1")]
    pub host: Option<HostInfo>,
    #[prost(bytes = "vec", tag = "2")]
    pub settings_yaml: Vec<u8>,
    #[prost(uint32, tag = "3")]
    pub host_service: u32,
    #[prost(bool, tag = "4")]
    pub first: bool,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ConfigureResponse {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(string, tag = "2")]
    pub version: String,
    #[prost(message, repeated, tag = "3")]
    pub routes: Vec<Route>,
    #[prost(bool, tag = "4")]
    pub wants_usage: bool,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct HostInfo {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(string, tag = "2")]
    pub version: String,
    #[prost(uint32, tag = "3")]
    pub schema: u32,
    #[prost(string, repeated, tag = "4")]
    pub capabilities: Vec<String>,
    #[prost(string, tag = "5")]
    pub gateway_url: String,
    #[prost(string, tag = "6")]
    pub config_path: String,
    #[prost(string, tag = "7")]
    pub plugin_version: String,
    #[prost(string, tag = "8")]
    pub resource_base: String,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct Route {
    #[prost(string, tag = "1")]
    pub method: String,
    #[prost(string, tag = "2")]
    pub path: String,
    #[prost(int32, tag = "3")]
    pub access: i32,
    #[prost(bool, tag = "4")]
    pub streams: bool,
    #[prost(string, tag = "5")]
    pub menu: String,
    #[prost(string, tag = "6")]
    pub description: String,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct Header {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(string, repeated, tag = "2")]
    pub values: Vec<String>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct HttpRequest {
    #[prost(string, tag = "1")]
    pub method: String,
    #[prost(string, tag = "2")]
    pub path: String,
    #[prost(string, tag = "3")]
    pub query: String,
    #[prost(message, repeated, tag = "4")]
    pub headers: Vec<Header>,
    #[prost(bytes = "vec", tag = "5")]
    pub body: Vec<u8>,
    #[prost(int32, tag = "6")]
    pub access: i32,
    #[prost(string, tag = "7")]
    pub remote_address: String,
    #[prost(string, tag = "8")]
    pub scheme: String,
    #[prost(string, tag = "9")]
    pub host: String,
    #[prost(string, tag = "10")]
    pub callback_id: String,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct HttpResponse {
    #[prost(uint32, tag = "1")]
    pub status: u32,
    #[prost(message, repeated, tag = "2")]
    pub headers: Vec<Header>,
    #[prost(bytes = "vec", tag = "3")]
    pub body: Vec<u8>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct HttpResponsePart {
    #[prost(oneof = "HttpResponsePartPart", tags = "1, 2")]
    pub part: Option<HttpResponsePartPart>,
}

#[derive(Clone, PartialEq, prost::Oneof)]
pub enum HttpResponsePartPart {
    #[prost(message, tag = "1")]
    Head(HttpResponse),
    #[prost(bytes = "vec", tag = "2")]
    Data(Vec<u8>),
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct UsageBatch {
    #[prost(bytes = "vec", repeated, tag = "1")]
    pub records: Vec<Vec<u8>>,
    #[prost(uint64, tag = "2")]
    pub lost: u64,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct UsageAck {}

#[derive(Clone, PartialEq, prost::Message)]
pub struct QuiesceRequest {
    #[prost(string, tag = "1")]
    pub reason: String,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct QuiesceResponse {}

#[derive(Clone, PartialEq, prost::Message)]
pub struct DescribeRequest {}

#[derive(Clone, PartialEq, prost::Message)]
pub struct LogRecord {
    #[prost(int32, tag = "1")]
    pub level: i32,
    #[prost(string, tag = "2")]
    pub message: String,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct LogAck {}

#[derive(Clone, PartialEq, prost::Message)]
pub struct CredentialsRequest {}

#[derive(Clone, PartialEq, prost::Message)]
pub struct CredentialList {
    #[prost(bytes = "vec", tag = "1")]
    pub json: Vec<u8>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct CredentialRequest {
    #[prost(string, tag = "1")]
    pub name: String,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct CredentialFile {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(bytes = "vec", tag = "2")]
    pub json: Vec<u8>,
}

pub const ACCESS_UNSPECIFIED: i32 = 0;
pub const ACCESS_GUARDED: i32 = 1;
pub const ACCESS_OPEN: i32 = 2;

pub const LEVEL_UNSPECIFIED: i32 = 0;
pub const LEVEL_DEBUG: i32 = 1;
pub const LEVEL_INFO: i32 = 2;
pub const LEVEL_WARNING: i32 = 3;
pub const LEVEL_ERROR: i32 = 4;
