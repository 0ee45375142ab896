//! The gateway that loaded this library: its C interface, its JSON, and the manifest it registers.

pub mod abi;
pub mod envelope;
pub mod gateway;
pub mod manifest;
pub mod presence;
