//! Linker options of the library.

fn main() {
    println!("cargo:rerun-if-changed=manifest.json");
    println!("cargo:rerun-if-env-changed=POOLKEEPER_REPOSITORY");
    if std::env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        // The gateway unloads a deleted plugin while a hung host call may still be on one of our threads.
        println!("cargo:rustc-cdylib-link-arg=-Wl,-z,nodelete");
    }
}
