//! The gateway that loaded this library: its C interface, its callbacks, and the manifest it registers.

pub mod abi;
pub mod callbacks;
pub mod envelope;
pub mod gateway;
pub mod host_service;
pub mod manifest;
pub mod presence;
