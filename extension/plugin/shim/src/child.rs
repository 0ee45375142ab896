//! The process that this library starts or attaches to: its environment, handshake, life and restarts.

mod environment;
mod handshake;
pub mod keeper;
mod life;
pub mod liveness;
mod process;
pub mod shared;
pub mod signals;
mod socket_folder;
