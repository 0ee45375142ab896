//! The C structures and functions exchanged with the gateway, and the memory behind them.

use std::ffi::{c_char, c_int, c_void, CStr, CString};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

pub const ABI_VERSION: u32 = 1;

#[repr(C)]
pub struct Buffer {
    ptr: *mut c_void,
    len: usize,
}

type HostCall = unsafe extern "C" fn(*mut c_void, *const c_char, *const u8, usize, *mut Buffer) -> c_int;
type Free = unsafe extern "C" fn(*mut c_void, usize);
type PluginCall = unsafe extern "C" fn(*const c_char, *const u8, usize, *mut Buffer) -> c_int;
type Shutdown = unsafe extern "C" fn();

#[repr(C)]
pub struct HostApi {
    abi_version: u32,
    host_ctx: *mut c_void,
    call: Option<HostCall>,
    free_buffer: Option<Free>,
}

#[repr(C)]
pub struct PluginApi {
    abi_version: u32,
    call: Option<PluginCall>,
    free_buffer: Option<Free>,
    shutdown: Option<Shutdown>,
}

/// The gateway's callback, usable on any thread until the library is shut down.
///
/// No lock is held during a call: a callback that hangs must not hang the shutdown.
#[derive(Clone)]
pub struct Host {
    context: usize,
    call: HostCall,
    free: Free,
    closed: Arc<AtomicBool>,
}

impl Host {
    pub fn call(&self, method: &str, request: &[u8]) -> Result<Vec<u8>, String> {
        if self.closed.load(Ordering::Acquire) {
            return Err("the plugin is shut down".to_owned());
        }
        let name = CString::new(method).map_err(|error| error.to_string())?;
        let mut answer = Buffer { ptr: ptr::null_mut(), len: 0 };
        let body = if request.is_empty() { ptr::null() } else { request.as_ptr() };
        // SAFETY: the functions and the context are valid until shutdown, checked above; the host copies the request.
        let code =
            unsafe { (self.call)(self.context as *mut c_void, name.as_ptr(), body, request.len(), &raw mut answer) };
        let bytes = if answer.ptr.is_null() {
            Vec::new()
        } else {
            // SAFETY: the host hands over `len` bytes, which are copied before they are given back.
            unsafe {
                let copied = std::slice::from_raw_parts(answer.ptr.cast::<u8>(), answer.len).to_vec();
                (self.free)(answer.ptr, answer.len);
                copied
            }
        };
        if code == 0 {
            Ok(bytes)
        } else {
            Err(format!("host call {method} returned {code}"))
        }
    }

    /// Refuse every later call: the gateway frees its context after the shutdown.
    pub fn close(&self) {
        self.closed.store(true, Ordering::Release);
    }
}

pub trait Library {
    fn loaded(host: Host);
    fn answer(method: &str, request: &[u8]) -> Vec<u8>;
    fn after_panic(method: &str) -> Vec<u8>;
    fn shutdown();
}

/// Exchange function tables; 0 means that the gateway can go on.
///
/// # Safety
/// `host` and `plugin` are null or point to the gateway's structures of this ABI version.
pub unsafe fn init<L: Library>(host: *const HostApi, plugin: *mut PluginApi) -> c_int {
    if host.is_null() || plugin.is_null() {
        return 1;
    }
    // SAFETY: not null, and the caller promises the layout.
    let (version, context, call, free) =
        unsafe { ((*host).abi_version, (*host).host_ctx as usize, (*host).call, (*host).free_buffer) };
    let (ABI_VERSION, Some(call), Some(free)) = (version, call, free) else {
        return 2;
    };
    let closed = Arc::default();
    let host = Host { context, call, free, closed };
    if catch_unwind(AssertUnwindSafe(|| L::loaded(host))).is_err() {
        return 3;
    }
    // SAFETY: as above.
    unsafe {
        *plugin = PluginApi {
            abi_version: ABI_VERSION,
            call: Some(call_plugin::<L>),
            free_buffer: Some(free_buffer),
            shutdown: Some(shutdown::<L>),
        };
    }
    0
}

unsafe extern "C" fn call_plugin<L: Library>(
    method: *const c_char,
    request: *const u8,
    length: usize,
    out: *mut Buffer,
) -> c_int {
    if method.is_null() || out.is_null() {
        return 1;
    }
    // SAFETY: a terminated name, and `length` bytes that live as long as the call.
    let (name, body) = unsafe {
        let body: &[u8] =
            if request.is_null() || length == 0 { &[] } else { std::slice::from_raw_parts(request, length) };
        (CStr::from_ptr(method).to_string_lossy(), body)
    };
    let answer = catch_unwind(AssertUnwindSafe(|| L::answer(&name, body))).unwrap_or_else(|_| L::after_panic(&name));
    let boxed = answer.into_boxed_slice();
    let len = boxed.len();
    // SAFETY: the gateway gives the same pointer and length back to `free_buffer`.
    unsafe {
        *out = Buffer { ptr: Box::into_raw(boxed).cast::<c_void>(), len };
    }
    0
}

unsafe extern "C" fn free_buffer(pointer: *mut c_void, length: usize) {
    if !pointer.is_null() {
        // SAFETY: pointer and length come from `call_plugin`.
        drop(unsafe { Box::from_raw(ptr::slice_from_raw_parts_mut(pointer.cast::<u8>(), length)) });
    }
}

unsafe extern "C" fn shutdown<L: Library>() {
    // A panic while everything ends must not cross into the gateway, and nothing is left to do about it.
    drop(catch_unwind(AssertUnwindSafe(L::shutdown)));
}
