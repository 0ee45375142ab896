//! Library that a stock gateway loads: it registers at once from a fixed manifest and relays requests to one process.
//!
//! Everything it decides about is the life of that process; the product is in Python.

mod child;
mod connection;
#[path = "_generated_contract.rs"]
mod contract;
#[path = "_generated_go_plugin.rs"]
mod go_plugin;
mod host;
mod relay;
mod settings;

use std::ffi::c_int;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;

use crate::child::keeper::Keeper;
use crate::host::abi::{Host, HostApi, Library, PluginApi};
use crate::settings::Settings;

struct Loaded {
    host: Host,
    settings: Settings,
    keeper: Option<Arc<Keeper>>,
}

static LOADED: Mutex<Option<Loaded>> = Mutex::new(None);

fn with_loaded<T>(work: impl FnOnce(&mut Loaded) -> T) -> Option<T> {
    LOADED.lock().unwrap_or_else(PoisonError::into_inner).as_mut().map(work)
}

struct Poolkeeper;

impl Library for Poolkeeper {
    fn loaded(host: Host) {
        let loaded = Loaded { host, settings: Settings::read(b"", 1), keeper: None };
        *LOADED.lock().unwrap_or_else(PoisonError::into_inner) = Some(loaded);
    }

    fn answer(method: &str, request: &[u8]) -> Vec<u8> {
        match method {
            "plugin.register" | "plugin.reconfigure" => host::envelope::success(&register(request)),
            "management.register" => {
                start();
                host::manifest::routes_envelope()
            }
            "management.handle" => match with_loaded(|loaded| loaded.keeper.clone()).flatten() {
                Some(keeper) => host::envelope::success(&relay::handle(&keeper, request)),
                None => host::envelope::success(&relay::after_panic()),
            },
            _ => host::envelope::failure("unknown_method", "the plugin has no such method"),
        }
    }

    fn after_panic(method: &str) -> Vec<u8> {
        if method == "management.handle" {
            return host::envelope::success(&relay::after_panic());
        }
        host::envelope::failure("panic", "the plugin failed during this call")
    }

    fn shutdown() {
        let loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(loaded) = loaded {
            loaded.host.close();
            if let Some(keeper) = loaded.keeper {
                keeper.stop();
            }
        }
    }
}

fn register(request: &[u8]) -> Value {
    let found: Value = serde_json::from_slice(request).unwrap_or(Value::Null);
    let schema = found["schema_version"].as_u64().and_then(|number| u32::try_from(number).ok()).unwrap_or(1);
    let raw = host::envelope::decoded(&found["config_yaml"]).unwrap_or_default();
    let settings = Settings::read(&raw, schema);
    with_loaded(|loaded| {
        if let Some(keeper) = &loaded.keeper {
            keeper.apply(settings.clone());
        }
        loaded.settings = settings;
    });
    host::manifest::registration(schema)
}

/// Only a gateway that serves asks for routes, so that its help and its log-in commands start no process.
fn start() {
    let failed = with_loaded(|loaded| {
        if loaded.keeper.is_none() {
            match Keeper::start(loaded.host.clone(), loaded.settings.clone()) {
                Ok(keeper) => loaded.keeper = Some(Arc::new(keeper)),
                Err(error) => return Some((loaded.host.clone(), error.to_string())),
            }
        }
        None
    });
    if let Some((host, error)) = failed.flatten() {
        // The next refresh of the routes tries again.
        host::envelope::log(&host, "error", &format!("Poolkeeper has no threads: {error}"));
    }
}

/// The one symbol the gateway looks for.
///
/// # Safety
/// The gateway calls it once after loading, with its own structures.
#[no_mangle]
pub unsafe extern "C" fn cliproxy_plugin_init(host: *const HostApi, plugin: *mut PluginApi) -> c_int {
    // SAFETY: the gateway's promise is the one `init` asks for.
    unsafe { host::abi::init::<Poolkeeper>(host, plugin) }
}
