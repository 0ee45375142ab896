// Written by `python -m tools native --write` from go_plugin.proto.
#![allow(dead_code, missing_docs, clippy::all, clippy::pedantic)]

#[derive(Clone, PartialEq, prost::Message)]
pub struct ConnInfoKnock {
    #[prost(bool, tag = "1")]
    pub knock: bool,
    #[prost(bool, tag = "2")]
    pub ack: bool,
    #[prost(string, tag = "3")]
    pub error: String,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ConnInfo {
    #[prost(uint32, tag = "1")]
    pub service_id: u32,
    #[prost(string, tag = "2")]
    pub network: String,
    #[prost(string, tag = "3")]
    pub address: String,
    #[prost(message, optional, tag = "4")]
    pub knock: Option<ConnInfoKnock>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct Empty {}
