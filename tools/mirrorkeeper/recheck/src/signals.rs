//! Signals: those to this process reach the command it runs, which ends in order.
//!
//! Theory: what a terminal sends reaches every process of the group, so the kernel's own signals are not passed on; what
//! a process sends may be meant for this one alone, so those are. A signal between the handlers and the start of the
//! command waits in `EARLY`. The command is waited for without taking its number back until the handlers are gone:
//! otherwise a late signal could reach a stranger who got the number.

use std::io;
use std::mem::MaybeUninit;
use std::process::Child;
use std::ptr;
use std::sync::atomic::{AtomicI32, Ordering};

use libc::{c_int, c_void, siginfo_t};

const PASSED_ON: [c_int; 3] = [libc::SIGINT, libc::SIGTERM, libc::SIGHUP];
const NONE: c_int = 0;

static CHILD: AtomicI32 = AtomicI32::new(NONE);
static EARLY: AtomicI32 = AtomicI32::new(NONE);

/// The passing on of signals, from its start until it is dropped.
pub struct Relay {
    before: Vec<(c_int, libc::sigaction)>,
}

impl Relay {
    /// Begin; signals that are ignored stay ignored, here and in the command.
    pub fn start() -> Self {
        // SAFETY: the default action is valid for every signal. Where the end of a child is ignored, which a process
        // inherits, its status is lost.
        unsafe { libc::signal(libc::SIGCHLD, libc::SIG_DFL) };
        let handler: extern "C" fn(c_int, *mut siginfo_t, *mut c_void) = pass_on;
        let mut before = Vec::new();
        for signal in PASSED_ON {
            let mut old = MaybeUninit::<libc::sigaction>::uninit();
            // SAFETY: all zeros are a valid action, `old` is filled before it is read, and the handler has the form that
            // SA_SIGINFO asks for and calls only what a handler may call.
            unsafe {
                let mut new: libc::sigaction = std::mem::zeroed();
                new.sa_sigaction = handler as usize;
                new.sa_flags = libc::SA_SIGINFO | libc::SA_RESTART;
                if libc::sigaction(signal, ptr::null(), old.as_mut_ptr()) != 0 {
                    continue;
                }
                let old = old.assume_init();
                if old.sa_sigaction != libc::SIG_IGN && libc::sigaction(signal, &raw const new, ptr::null_mut()) == 0 {
                    before.push((signal, old));
                }
            }
        }
        Self { before }
    }

    /// Pass signals on until the command has ended; its number stays taken.
    pub fn until_end_of(self, child: &Child) -> io::Result<()> {
        let number = child.id();
        let process = c_int::try_from(number).map_err(io::Error::other)?;
        CHILD.store(process, Ordering::SeqCst);
        send(process, EARLY.swap(NONE, Ordering::SeqCst));
        let ended = end_of(number);
        drop(self);
        ended
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        for (signal, old) in &self.before {
            // SAFETY: the action is the one that the system returned.
            unsafe { libc::sigaction(*signal, old, ptr::null_mut()) };
        }
    }
}

/// Wait for a process that is still to be asked how it ended.
fn end_of(process: libc::id_t) -> io::Result<()> {
    let mut ended = MaybeUninit::<siginfo_t>::uninit();
    loop {
        // SAFETY: `ended` is a place for the answer, which nothing reads.
        if unsafe { libc::waitid(libc::P_PID, process, ended.as_mut_ptr(), libc::WEXITED | libc::WNOWAIT) } == 0 {
            return Ok(());
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
}

extern "C" fn pass_on(signal: c_int, info: *mut siginfo_t, _context: *mut c_void) {
    // SAFETY: the system hands over a description that lives as long as this call.
    if !is_sent_by_a_process(unsafe { &*info }) {
        return;
    }
    match CHILD.load(Ordering::SeqCst) {
        NONE => EARLY.store(signal, Ordering::SeqCst),
        child => send(child, signal),
    }
}

#[cfg(target_os = "linux")]
fn is_sent_by_a_process(info: &siginfo_t) -> bool {
    info.si_code <= 0
}

#[cfg(not(target_os = "linux"))]
fn is_sent_by_a_process(info: &siginfo_t) -> bool {
    // SAFETY: SIGINT, SIGTERM and SIGHUP carry a sender; it is 0 for the kernel.
    unsafe { info.si_pid() != 0 }
}

fn send(process: c_int, signal: c_int) {
    if signal != NONE {
        // SAFETY: the call touches no memory of this process.
        unsafe { libc::kill(process, signal) };
    }
}

/// End this process by a signal; returns when that is one that does not end a process.
pub fn die_by(signal: c_int) {
    let none = libc::rlimit {
        rlim_cur: 0,
        rlim_max: 0,
    };
    // SAFETY: the limit is valid and so is the default action; there is a core dump of the command already.
    unsafe {
        libc::setrlimit(libc::RLIMIT_CORE, &raw const none);
        libc::signal(signal, libc::SIG_DFL);
        libc::raise(signal);
    }
}
